@NullMarked
package dev.counterpoint.worker.prompt;

import org.jspecify.annotations.NullMarked;
