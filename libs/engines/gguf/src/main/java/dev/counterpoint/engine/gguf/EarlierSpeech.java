package dev.counterpoint.engine.gguf;

import dev.counterpoint.engine.gguf.TurnStep.Part;
import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.parse.HarmonyEvent;
import dev.counterpoint.harmony.parse.HarmonyParser;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.Utf8Stream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// What earlier attempts said of a turn, out of the Harmony that they said it in, and the text in which the model
/// wrote it.
///
/// @param parts in their order
/// @param half the bytes of a character that it ends within
record EarlierSpeech(List<Said> parts, byte[] half) {
    /// @param recipient of a call; null for text
    /// @param over whether the part was ended
    record Said(Part part, @Nullable String recipient, String text, boolean over) {}

    static EarlierSpeech of(int[] tokens) {
        var reading = new Reading();
        var parser = new HarmonyParser(Role.ASSISTANT);
        var characters = new Utf8Stream(false);
        for (int token : tokens) {
            parser.accept(token, reading::take);
            byte[] bytes = HarmonyTokenizer.shared().bytes(token);
            characters.append(bytes, 0, bytes.length);
        }
        reading.end(false);
        return new EarlierSpeech(List.copyOf(reading.parts), characters.unfinished());
    }

    private static final class Reading {
        private final List<Said> parts = new ArrayList<>();
        private HarmonyEvent.@Nullable MessageStarted open;
        private final StringBuilder text = new StringBuilder();

        private void take(HarmonyEvent event) {
            switch (event) {
                case HarmonyEvent.MessageStarted started -> {
                    end(true);
                    open = started;
                }
                case HarmonyEvent.TextDelta(var more) -> text.append(more);
                case HarmonyEvent.MessageEnded _ -> end(true);
                case HarmonyEvent.Repaired _ -> {}
            }
        }

        private void end(boolean over) {
            if (open != null) {
                var part = open.recipient() != null
                        ? Part.ARGUMENTS
                        : Channels.ANALYSIS.equals(open.channel()) ? Part.REASONING : Part.ANSWER;
                parts.add(new Said(part, open.recipient(), text.toString(), over));
                text.setLength(0);
                open = null;
            }
        }
    }

    /// The characters that were said of a part that is not over; 0 where it is.
    int lengthOf(Part part) {
        return parts.isEmpty() || parts.getLast().over || parts.getLast().part != part
                ? 0
                : parts.getLast().text.length();
    }

    /// The text of a turn up to where the parts end.
    ///
    /// @param recipients the recipient of a call of a function by its declared name
    String written(TurnStep turn, UnaryOperator<String> recipients) {
        return new Writing(new ArrayDeque<>(parts), recipients).write(turn);
    }

    private record Writing(Deque<Said> left, UnaryOperator<String> recipients) {
        private String write(TurnStep step) {
            var next = left.peek();
            if (next == null) {
                return "";
            }
            return switch (step) {
                case TurnStep.Choice(var marks, var otherwise) -> {
                    for (var mark : marks.entrySet()) {
                        if (begins(mark.getValue(), next)) {
                            yield mark.getKey() + write(mark.getValue());
                        }
                    }
                    yield otherwise == null ? "" : write(otherwise);
                }
                case TurnStep.Until(var part, var mark, var then) ->
                    next.part == part ? take().text + (next.over ? mark + write(then) : "") : mark + write(then);
                case TurnStep.Quoted(var part, var then) ->
                    "\""
                            + (next.part == part
                                    ? JsonEscapes.escaped(take().text) + (next.over ? "\"" + write(then) : "")
                                    : "\"" + write(then));
                case TurnStep.Blanks(var then) -> write(then);
                case TurnStep.Call(var _, var arguments) -> write(arguments);
                case TurnStep.End _ -> "";
                case TurnStep.Rest _ -> take().text;
            };
        }

        private Said take() {
            return left.remove();
        }

        private boolean begins(TurnStep step, Said said) {
            return switch (step) {
                case TurnStep.Call(var tool, var _) ->
                    recipients.apply(tool.name()).equals(said.recipient);
                case TurnStep.Choice(var marks, var otherwise) ->
                    otherwise != null && begins(otherwise, said)
                            || marks.values().stream().anyMatch(each -> begins(each, said));
                case TurnStep.Until(var part, var _, var then) -> part == said.part || begins(then, said);
                case TurnStep.Quoted(var part, var then) -> part == said.part || begins(then, said);
                case TurnStep.Blanks(var then) -> begins(then, said);
                case TurnStep.End _ -> false;
                case TurnStep.Rest(var part, var _, var _) -> part == said.part;
            };
        }
    }
}
