@NullMarked
package dev.counterpoint.worker.engine.chat;

import org.jspecify.annotations.NullMarked;
