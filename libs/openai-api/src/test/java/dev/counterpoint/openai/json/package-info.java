@NullMarked
package dev.counterpoint.openai.json;

import org.jspecify.annotations.NullMarked;
