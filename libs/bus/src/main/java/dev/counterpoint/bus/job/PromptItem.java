package dev.counterpoint.bus.job;

import dev.counterpoint.bus.wire.Fields;
import dev.counterpoint.bus.wire.MalformedMessageException;

/// One step of the conversation that a model answers, in order, as the API's client knows it. Workers turn it into
/// Harmony.
public sealed interface PromptItem {
    /// Text with a developer's authority: `instructions`, developer and system messages.
    record Instructions(String text) implements PromptItem {
        @Override
        public String toString() {
            return sized("Instructions", text);
        }
    }

    record User(String text) implements PromptItem {
        @Override
        public String toString() {
            return sized("User", text);
        }
    }

    /// What the model said to the user.
    ///
    /// @param preamble whether it was said before a tool call instead of as the answer
    record Assistant(String text, boolean preamble) implements PromptItem {
        @Override
        public String toString() {
            return sized("Assistant", text);
        }
    }

    /// Raw reasoning that a client sent back in clear.
    record Reasoning(String text) implements PromptItem {
        @Override
        public String toString() {
            return sized("Reasoning", text);
        }
    }

    /// Reasoning that only workers can open: a [dev.counterpoint.bus.seal.SealedReasoning].
    record Sealed(String blob) implements PromptItem {
        @Override
        public String toString() {
            return sized("Sealed", blob);
        }
    }

    /// A call of a function, by its declared name.
    record Call(String callId, String name, String arguments) implements PromptItem {
        @Override
        public String toString() {
            return sized("Call", arguments);
        }
    }

    /// What the function gave back.
    record CallOutput(String callId, String name, String output) implements PromptItem {
        @Override
        public String toString() {
            return sized("CallOutput", output);
        }
    }

    /// Items of every kind tell their kind and size only: prompts are never logged.
    private static String sized(String kind, String text) {
        return kind + "[" + text.length() + " characters]";
    }

    /// Writes this as a nested message; the field number names the kind.
    default void encode(Fields.Writer out) {
        switch (this) {
            case Instructions item -> out.message(1, inner -> inner.text(1, item.text));
            case User item -> out.message(2, inner -> inner.text(1, item.text));
            case Assistant item ->
                out.message(3, inner -> inner.text(1, item.text).flag(2, item.preamble));
            case Reasoning item -> out.message(4, inner -> inner.text(1, item.text));
            case Sealed item -> out.message(5, inner -> inner.text(1, item.blob));
            case Call item ->
                out.message(
                        6,
                        inner -> inner.text(1, item.callId).text(2, item.name).text(3, item.arguments));
            case CallOutput item ->
                out.message(
                        7,
                        inner -> inner.text(1, item.callId).text(2, item.name).text(3, item.output));
        }
    }

    /// @throws MalformedMessageException for bytes that are no item, and for a kind of a newer version: a prompt with a
    ///     hole in it must not run
    static PromptItem decode(byte[] bytes) {
        var in = new Fields.Reader(bytes);
        int kind = in.next();
        if (kind < 1 || kind > 7) {
            throw new MalformedMessageException("a prompt item of an unknown kind");
        }
        var fields = new Fields.Reader(in.bytes());
        var texts = new String[] {"", "", ""};
        boolean flag = false;
        for (int field = fields.next(); field != 0; field = fields.next()) {
            switch (field) {
                case 1 -> texts[0] = fields.text();
                case 2 -> {
                    switch (kind) {
                        case 3 -> flag = fields.flag();
                        case 6, 7 -> texts[1] = fields.text();
                        default -> fields.skip();
                    }
                }
                case 3 -> {
                    switch (kind) {
                        case 6, 7 -> texts[2] = fields.text();
                        default -> fields.skip();
                    }
                }
                default -> fields.skip();
            }
        }
        return switch (kind) {
            case 1 -> new Instructions(texts[0]);
            case 2 -> new User(texts[0]);
            case 3 -> new Assistant(texts[0], flag);
            case 4 -> new Reasoning(texts[0]);
            case 5 -> new Sealed(texts[0]);
            case 6 -> new Call(texts[0], texts[1], texts[2]);
            default -> new CallOutput(texts[0], texts[1], texts[2]);
        };
    }
}
