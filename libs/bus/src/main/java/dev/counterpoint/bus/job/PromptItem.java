package dev.counterpoint.bus.job;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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

    /// The same conversation with its results in the order of their calls. Harmony and some templates have no call
    /// ids, so a model assigns results to calls by their order alone. A result belongs to the last call of its id;
    /// a second one, of a call that was pending, stays where it is.
    static List<PromptItem> inCallOrder(List<PromptItem> prompt) {
        var calls = new HashMap<String, Integer>();
        var results = new TreeMap<Integer, List<PromptItem>>();
        var answered = new HashSet<String>();
        var late = new HashSet<Integer>();
        for (int i = 0; i < prompt.size(); i++) {
            if (prompt.get(i) instanceof Call call) {
                calls.put(call.callId(), i);
                answered.remove(call.callId());
            } else if (prompt.get(i) instanceof CallOutput result && !answered.add(result.callId())) {
                late.add(i);
            } else if (prompt.get(i) instanceof CallOutput result) {
                results.computeIfAbsent(calls.getOrDefault(result.callId(), -1), _ -> new ArrayList<>())
                        .add(result);
            }
        }
        var sorted = results.values().stream().flatMap(List::stream).iterator();
        return IntStream.range(0, prompt.size())
                .mapToObj(i -> prompt.get(i) instanceof CallOutput && !late.contains(i) ? sorted.next() : prompt.get(i))
                .toList();
    }

    /// The bytes of this item in a job.
    default byte[] encode() {
        return PromptCodec.encode(this).toByteArray();
    }

    /// Items of every kind tell their kind and size only: prompts are never logged.
    private static String sized(String kind, String text) {
        return kind + "[" + text.length() + " characters]";
    }
}
