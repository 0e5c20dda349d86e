@NullMarked
package dev.counterpoint.engine.http;

import org.jspecify.annotations.NullMarked;
