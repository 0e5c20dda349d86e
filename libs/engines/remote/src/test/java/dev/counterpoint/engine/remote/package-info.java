@NullMarked
package dev.counterpoint.engine.remote;

import org.jspecify.annotations.NullMarked;
