package dev.counterpoint.bus.job;

import dev.counterpoint.bus.wire.FieldReader;
import dev.counterpoint.bus.wire.FieldWriter;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/// One step of the conversation that a model answers, in order, as the API's client knows it. Workers turn it into
/// Harmony.
public sealed interface PromptItem {
    /// The number of kinds. The kind of an item is the number of its only field.
    int KINDS = 9;

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

    /// A user's message with images, part by part.
    record Illustrated(List<Part> parts) implements PromptItem {
        /// A part of it.
        ///
        /// @param text empty for an image
        /// @param imageUrl the image's address, mostly with the image in it (`data:`); empty for a text
        /// @param detail how closely the model is to look, empty where nobody says
        public record Part(String text, String imageUrl, String detail) {
            public static Part text(String text) {
                return new Part(text, "", "");
            }

            public boolean isImage() {
                return !imageUrl.isEmpty();
            }

            @Override
            public String toString() {
                return sized("Part", text + imageUrl);
            }
        }

        public Illustrated {
            parts = List.copyOf(parts);
        }

        /// The words without the images.
        public String text() {
            return parts.stream().map(Part::text).collect(Collectors.joining());
        }

        @Override
        public String toString() {
            return "Illustrated" + parts;
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

    /// Sealed reasoning of an earlier response that a worker tells again, word for word, for a summarizer to read.
    /// A job with such an item generates nothing; a worker of an older version refuses it.
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
            case Illustrated(List<Illustrated.Part> parts) ->
                out.message(8, parts, (inner, it) -> inner.messages(1, it, PromptItem::part));
            case Retold(String blob) -> out.message(9, blob, PromptItem::text);
        }
    }

    private static void text(FieldWriter out, String text) {
        out.text(1, text);
    }

    private static void part(FieldWriter out, Illustrated.Part part) {
        texts(out, List.of(part.text, part.imageUrl, part.detail));
    }

    private static Illustrated.Part part(FieldReader in) {
        return new Illustrated.Part(in.text(1), in.text(2), in.text(3));
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
            case 8 -> new Illustrated(item.messages(1, PromptItem::part));
            default -> new Retold(item.text(1));
        };
    }
}
