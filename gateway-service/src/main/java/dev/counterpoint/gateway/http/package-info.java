/// The parts that every answer has in common, and the writing of streams.
@NullMarked
package dev.counterpoint.gateway.http;

import org.jspecify.annotations.NullMarked;
