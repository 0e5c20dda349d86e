@NullMarked
package dev.counterpoint.engine.chat.family;

import org.jspecify.annotations.NullMarked;
