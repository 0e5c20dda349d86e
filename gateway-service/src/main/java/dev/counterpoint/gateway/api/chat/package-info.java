/// Chat Completions.
@NullMarked
package dev.counterpoint.gateway.api.chat;

import org.jspecify.annotations.NullMarked;
