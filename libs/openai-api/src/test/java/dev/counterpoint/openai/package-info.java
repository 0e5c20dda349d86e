@NullMarked
package dev.counterpoint.openai;

import org.jspecify.annotations.NullMarked;
