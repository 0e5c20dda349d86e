/// The launcher: the whole suite as processes of one machine.
@NullMarked
package dev.counterpoint.local;

import org.jspecify.annotations.NullMarked;
