package dev.counterpoint.worker.engine.simulated;

import java.util.List;

/// What a skill found.
///
/// @param thoughts how it got there, one step each, for the reasoning
/// @param essence the bare result, for a JSON member that wants only that
record Answer(List<String> thoughts, Reply reply, String essence) {
    Answer {
        thoughts = List.copyOf(thoughts);
    }

    static Answer say(List<String> thoughts, String text, String essence) {
        return new Answer(thoughts, new Reply.Say(text), essence);
    }

    static Answer say(List<String> thoughts, String text) {
        return say(thoughts, text, text);
    }

    /// The text of the final message, or of the arguments of a call.
    String text() {
        return switch (reply) {
            case Reply.Say say -> say.text();
            case Reply.Call call -> call.arguments();
        };
    }

    /// How the turn ends.
    sealed interface Reply {
        record Say(String text) implements Reply {}

        /// @param tool bare name of a declared function
        /// @param arguments a JSON object
        record Call(String tool, String arguments) implements Reply {}
    }
}
