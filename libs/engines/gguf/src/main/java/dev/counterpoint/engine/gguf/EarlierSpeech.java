package dev.counterpoint.engine.gguf;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
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
    record Said(Part part, @Nullable String recipient, StringBuilder text, boolean over) {}

    static EarlierSpeech of(int[] tokens) {
        var parts = new ArrayList<Said>();
        var parser = new HarmonyParser(Role.ASSISTANT);
        var characters = new Utf8Stream(false);
        for (int token : tokens) {
            parser.accept(token, event -> hear(event, parts));
            byte[] bytes = HarmonyTokenizer.shared().bytes(token);
            characters.append(bytes, 0, bytes.length);
        }
        return new EarlierSpeech(List.copyOf(parts), characters.unfinished());
    }

    private static void hear(HarmonyEvent event, List<Said> parts) {
        switch (event) {
            case HarmonyEvent.MessageStarted(var _, var channel, var recipient, var _) -> {
                var text = Channels.ANALYSIS.equals(channel) ? Part.REASONING : Part.ANSWER;
                var part = recipient == null ? text : Part.ARGUMENTS;
                parts.add(new Said(part, recipient, new StringBuilder(), false));
            }
            case HarmonyEvent.TextDelta(var more) -> parts.getLast().text.append(more);
            case HarmonyEvent.MessageEnded _ -> {
                var said = parts.removeLast();
                parts.add(new Said(said.part, said.recipient, said.text, true));
            }
            case HarmonyEvent.Repaired _ -> {}
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
                    next.part == part ? take() + (next.over ? mark + write(then) : "") : mark + write(then);
                case TurnStep.Quoted(var part, var then) ->
                    "\""
                            + (next.part == part
                                    ? escaped(take()) + (next.over ? "\"" + write(then) : "")
                                    : "\"" + write(then));
                case TurnStep.Blanks(var then) -> write(then);
                case TurnStep.Call(var _, var arguments) -> write(arguments);
                case TurnStep.End _ -> "";
                case TurnStep.Rest _ -> take();
            };
        }

        private String take() {
            return left.remove().text.toString();
        }

        private static String escaped(String text) {
            return new String(JsonStringEncoder.getInstance().quoteAsString(text));
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
