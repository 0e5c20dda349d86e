/// What a suite tells a collector of traces.
@NullMarked
package dev.counterpoint.local.spans;

import org.jspecify.annotations.NullMarked;
