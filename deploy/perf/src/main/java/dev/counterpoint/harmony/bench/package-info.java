/// Measures the module beside its peers on the same texts: `deploy/perf/run jmh harmony`.
@NullMarked
package dev.counterpoint.harmony.bench;

import org.jspecify.annotations.NullMarked;
