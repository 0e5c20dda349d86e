/// Chat Completions: checks, translates and runs requests, assembles chunks.
@NullMarked
package dev.counterpoint.gateway.api.chat;

import org.jspecify.annotations.NullMarked;
