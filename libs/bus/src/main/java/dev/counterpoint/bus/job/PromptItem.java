package dev.counterpoint.bus.job;

import dev.counterpoint.bus.wire.FieldReader;
import dev.counterpoint.bus.wire.FieldWriter;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.util.List;
import java.util.function.Function;

/// One step of the conversation that a model answers, in order, as the API's client knows it. Workers turn it into
/// Harmony.
public sealed interface PromptItem {
    /// The number of kinds. The kind of an item is the number of its only field.
    int KINDS = 8;

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

    /// The model's words to the user.
    ///
    /// @param preamble true when the model said it before a tool call instead of as the answer
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

    /// The result of the function.
    record CallOutput(String callId, String name, String output) implements PromptItem {
        @Override
        public String toString() {
            return sized("CallOutput", output);
        }
    }

    /// Sealed reasoning of an earlier response that a worker tells again, word for word, for a summarizer to read. A
    /// job
    /// with such an item generates nothing; a worker of an older version refuses it.
    record Retold(String blob) implements PromptItem {
        @Override
        public String toString() {
            return sized("Retold", blob);
        }
    }

    /// Items of every kind tell their kind and size only: prompts are never logged.
    private static String sized(String kind, String text) {
        return kind + "[" + text.length() + " characters]";
    }

    /// Writes `item` as a nested message; the field number names the kind.
    static void encode(FieldWriter out, PromptItem item) {
        switch (item) {
            case Instructions(String text) -> out.message(1, text, PromptItem::text);
            case User(String text) -> out.message(2, text, PromptItem::text);
            case Assistant said ->
                out.message(3, said, (inner, it) -> inner.text(1, it.text).flag(2, it.preamble));
            case Reasoning(String text) -> out.message(4, text, PromptItem::text);
            case Sealed(String blob) -> out.message(5, blob, PromptItem::text);
            case Call call -> out.message(6, List.of(call.callId, call.name, call.arguments), PromptItem::texts);
            case CallOutput output ->
                out.message(7, List.of(output.callId, output.name, output.output), PromptItem::texts);
            case Retold(String blob) -> out.message(8, blob, PromptItem::text);
        }
    }

    private static void text(FieldWriter out, String text) {
        out.text(1, text);
    }

    private static void texts(FieldWriter out, List<String> texts) {
        out.text(1, texts.get(0)).text(2, texts.get(1)).text(3, texts.get(2));
    }

    /// @throws MalformedMessageException for bytes that are no item, and for a kind of a newer version: a prompt with a
    ///     hole in it must not run
    static PromptItem decode(FieldReader in) {
        int kind = in.first();
        var item = kind <= KINDS ? in.message(kind, Function.identity()) : null;
        if (item == null) {
            throw new MalformedMessageException("a prompt item of an unknown kind");
        }
        return switch (kind) {
            case 1 -> new Instructions(item.text(1));
            case 2 -> new User(item.text(1));
            case 3 -> new Assistant(item.text(1), item.flag(2));
            case 4 -> new Reasoning(item.text(1));
            case 5 -> new Sealed(item.text(1));
            case 6 -> new Call(item.text(1), item.text(2), item.text(3));
            case 7 -> new CallOutput(item.text(1), item.text(2), item.text(3));
            default -> new Retold(item.text(1));
        };
    }
}
