package dev.counterpoint.harmony.parse;

import dev.counterpoint.harmony.model.Author;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import org.jspecify.annotations.Nullable;

/// What the parser reports. Per message: one start, any number of deltas, one end; messages do not overlap.
public sealed interface HarmonyEvent {
    /// A header is complete. With a recipient the message is a call, and its text the arguments.
    ///
    /// A stream with a start role gives every assistant message one of
    /// `Channels`, and `contentType` comes without the `<|constrain|>` marker.
    record MessageStarted(
            Author author,
            @Nullable String channel,
            @Nullable String recipient,
            @Nullable String contentType) implements HarmonyEvent {}

    /// More text of the open message: whole characters, never empty.
    record TextDelta(String text) implements HarmonyEvent {
        /// Without the text, which may be reasoning.
        @Override
        public String toString() {
            return "TextDelta[" + text.length() + " chars]";
        }
    }

    /// The open message is complete; the deltas since its start are its text.
    record MessageEnded(Stop stop) implements HarmonyEvent {}

    /// The parser survived a mistake of the model. Carries no content, so it may be counted and logged.
    record Repaired(Repair kind) implements HarmonyEvent {}

    /// What closed a message.
    enum Stop {
        END,
        CALL,
        RETURN,
        /// The stream ended, or `<|endoftext|>` came.
        END_OF_STREAM,
        /// The next message began without a stop token.
        IMPLICIT;

        /// The stop that a control token means; END for any that is no stop token.
        public static Stop of(int token) {
            return switch (token) {
                case SpecialTokens.CALL -> CALL;
                case SpecialTokens.RETURN -> RETURN;
                case SpecialTokens.END_OF_TEXT -> END_OF_STREAM;
                default -> END;
            };
        }
    }

    /// The mistakes that the parser survives.
    enum Repair {
        /// A header had words that mean nothing; they were ignored.
        HEADER_WORDS_IGNORED,
        /// A header ended without `<|message|>`; its text became a message.
        MESSAGE_TOKEN_MISSING,
        /// A header ended before it said anything; nothing came of it.
        HEADER_CUT,
        /// The channel was misspelt, unknown or missing; unknown and missing ones count as analysis.
        CHANNEL_GUESSED,
        /// The role was unknown, doubled or missing; it counts as assistant.
        ROLE_GUESSED,
        /// A message began without `<|start|>`.
        START_TOKEN_MISSING,
        /// A message was not closed before the next one began.
        STOP_TOKEN_MISSING,
        /// A control token stood where it has no meaning; it was ignored.
        CONTROL_TOKEN_IGNORED,
        /// Text between two messages was ignored.
        TEXT_BETWEEN_MESSAGES,
        /// An id outside the vocabulary; in a body it became U+FFFD.
        UNKNOWN_TOKEN
    }
}
