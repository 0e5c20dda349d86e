/// The libllama that tests and benchmarks run with.
@NullMarked
package dev.counterpoint.engine.llama.testkit;

import org.jspecify.annotations.NullMarked;
