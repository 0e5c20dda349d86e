@NullMarked
package dev.counterpoint.engine.chat.probe;

import org.jspecify.annotations.NullMarked;
