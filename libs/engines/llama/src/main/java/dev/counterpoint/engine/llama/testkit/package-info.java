/// The libllama of the tests of whoever uses this engine.
@NullMarked
package dev.counterpoint.engine.llama.testkit;

import org.jspecify.annotations.NullMarked;
