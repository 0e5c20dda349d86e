package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.frame.Delta;
import org.jspecify.annotations.Nullable;

/// Whom a message is for. What is for nobody is not shown: better a gap than a leak.
public sealed interface Recipient {
    String FUNCTIONS = "functions.";

    /// The user.
    ///
    /// @param preamble whether it is said before a tool call instead of as the answer
    record User(boolean preamble) implements Recipient {}

    /// A function that the client runs.
    ///
    /// @param name without namespace
    record Function(String name) implements Recipient {}

    /// The user, beside the answer: one JSON object.
    record Beside() implements Recipient {}

    /// Neither: a tool that no client runs, a channel that users do not see, or a message without a header.
    record Nobody() implements Recipient {}

    /// Reads the header of a message in the reasoning lane, for callers that get raw reasoning: a call to a
    /// tool that no client runs is in this lane too and stays hidden.
    static Recipient ofReasoning(Delta.@Nullable Header header) {
        return header == null || header.recipient() == null ? new User(true) : new Nobody();
    }

    /// Reads the header; the recipient decides before the channel, because models call tools on every
    /// channel.
    static Recipient of(Delta.@Nullable Header header) {
        if (header == null) {
            return new Nobody();
        }
        var recipient = header.recipient();
        if (recipient != null) {
            return recipient.startsWith(FUNCTIONS) && recipient.length() > FUNCTIONS.length()
                    ? new Function(recipient.substring(FUNCTIONS.length()))
                    : new Nobody();
        }
        return switch (header.channel()) {
            case "final" -> Delta.Header.EXTRA.equals(header.contentType()) ? new Beside() : new User(false);
            case "commentary" -> new User(true);
            default -> new Nobody();
        };
    }
}
