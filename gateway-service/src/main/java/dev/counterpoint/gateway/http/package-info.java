/// What every answer has in common, and how a stream is written.
@NullMarked
package dev.counterpoint.gateway.http;

import org.jspecify.annotations.NullMarked;
