@NullMarked
package dev.counterpoint.engine.chat.split;

import org.jspecify.annotations.NullMarked;
