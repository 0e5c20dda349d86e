@NullMarked
package dev.counterpoint.openai.judge;

import org.jspecify.annotations.NullMarked;
