/// Chat Completions.
@NullMarked
package dev.counterpoint.gateway.chat;

import org.jspecify.annotations.NullMarked;
