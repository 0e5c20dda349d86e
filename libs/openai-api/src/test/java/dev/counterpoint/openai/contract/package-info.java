@NullMarked
package dev.counterpoint.openai.contract;

import org.jspecify.annotations.NullMarked;
