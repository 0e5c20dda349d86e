@NullMarked
package dev.counterpoint.engine.chat;

import org.jspecify.annotations.NullMarked;
