/// How fast the wire is written and read: `deploy/perf/run jmh wire`.
@NullMarked
package dev.counterpoint.openai.bench;

import org.jspecify.annotations.NullMarked;
