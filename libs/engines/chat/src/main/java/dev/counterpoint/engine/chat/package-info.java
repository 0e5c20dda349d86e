/// Models that are not Harmony: conversations go to an OpenAI-compatible server as messages, under the
/// model's own template, and what comes back is told apart into reasoning, answer and calls, and
/// written down as Harmony.
@NullMarked
package dev.counterpoint.engine.chat;

import org.jspecify.annotations.NullMarked;
