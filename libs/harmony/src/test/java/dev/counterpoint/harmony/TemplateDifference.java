package dev.counterpoint.harmony;

import dev.counterpoint.harmony.model.Author;
import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.parse.HarmonyParser;
import dev.counterpoint.harmony.parse.ParsedMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What the chat template of Hugging Face does otherwise than the references: applied to the messages of our prompt, it
/// gives those of the template's.
enum TemplateDifference {
    BLANK_LINE_AFTER_INSTRUCTIONS {
        @Override
        List<ParsedMessage> apply(List<ParsedMessage> messages) {
            return developer(messages, text -> text.contains("# Tools") ? text : text + "\n\n");
        }
    },
    COMMA_AFTER_A_DEFAULT {
        @Override
        List<ParsedMessage> apply(List<ParsedMessage> messages) {
            return developer(messages, text -> text.replaceAll("(?m)(, // default: .*)$", "$1,"));
        }
    },
    NO_ARGUMENT_FOR_AN_EMPTY_OBJECT {
        @Override
        List<ParsedMessage> apply(List<ParsedMessage> messages) {
            return developer(messages, text -> text.replace("(_: {\n})", "()"));
        }
    },
    OBJECTS_AND_VARIANTS_IN_LINE {
        @Override
        List<ParsedMessage> apply(List<ParsedMessage> messages) {
            var blank = " ".repeat(16);
            return developer(
                    messages,
                    text -> text.replace("    // outer\n", "")
                            .replace("o?:{", "o?: {")
                            .replace(
                                    "    // inner\n    x: string,\n    y?: number,\n    }",
                                    "x: \n" + blank + "string, y?: \n" + blank + "number}")
                            .replace("    k?: string,\n    }", "k?: \n" + blank + "string}")
                            .replace(
                                    "\n | string // default: \"a\"\n | number // num\n,",
                                    " string" + " ".repeat(20) + "// default: \"a\" | \nnumber// num,"));
        }
    },
    LATER_INSTRUCTIONS_DROPPED {
        @Override
        List<ParsedMessage> apply(List<ParsedMessage> messages) {
            var all = messages.stream().filter(DEVELOPER).toList();
            return messages.stream()
                    .filter(DEVELOPER.negate().or(message -> message == all.getFirst()))
                    .toList();
        }
    },
    ARGUMENTS_QUOTED {
        @Override
        List<ParsedMessage> apply(List<ParsedMessage> messages) {
            return texts(messages, CALL, TemplateDifference::quoted);
        }
    },
    RESULTS_QUOTED {
        @Override
        List<ParsedMessage> apply(List<ParsedMessage> messages) {
            return texts(messages, RESULT, TemplateDifference::quoted);
        }
    },
    ARGUMENTS_SPACED {
        @Override
        List<ParsedMessage> apply(List<ParsedMessage> messages) {
            return texts(messages, CALL, text -> text.replace(":", ": "));
        }
    },
    RESULTS_SPACED {
        @Override
        List<ParsedMessage> apply(List<ParsedMessage> messages) {
            return texts(messages, RESULT, text -> text.replace(":", ": "));
        }
    },
    LATER_CALLS_LOST_AND_THEIR_RESULTS_THE_FIRST_ONES {
        @Override
        List<ParsedMessage> apply(List<ParsedMessage> messages) {
            var calls = messages.stream().filter(CALL).toList();
            var first = calls.getFirst().recipient();
            return messages.stream()
                    .filter(CALL.negate().or(message -> message == calls.getFirst()))
                    .map(message -> RESULT.test(message) && first != null
                            ? new ParsedMessage(
                                    Author.tool(first), message.channel(), message.recipient(), null, message.text())
                            : message)
                    .toList();
        }
    },
    THOUGHT_AND_PREAMBLE_BEFORE_A_CALL_REFUSED {
        @Override
        @Nullable
        List<ParsedMessage> apply(List<ParsedMessage> messages) {
            boolean preamble = messages.stream()
                    .anyMatch(message -> message.recipient() == null && Channels.COMMENTARY.equals(message.channel()));
            boolean thought = messages.stream().anyMatch(message -> Channels.ANALYSIS.equals(message.channel()));
            return preamble && thought && CALL.test(messages.getLast()) ? null : messages;
        }
    },
    SPELLED_CONTROL_TOKENS_OBEYED {
        @Override
        List<ParsedMessage> apply(List<ParsedMessage> messages) {
            return messages.stream().flatMap(TemplateDifference::obeyed).toList();
        }
    };

    private static final Predicate<ParsedMessage> DEVELOPER =
            message -> message.author().role() == Role.DEVELOPER;
    private static final Predicate<ParsedMessage> RESULT =
            message -> message.author().role() == Role.TOOL;
    private static final Predicate<ParsedMessage> CALL =
            message -> message.author().role() == Role.ASSISTANT && message.recipient() != null;

    /// Null when the template refuses the conversation.
    abstract @Nullable List<ParsedMessage> apply(List<ParsedMessage> messages);

    private static List<ParsedMessage> developer(List<ParsedMessage> messages, UnaryOperator<String> change) {
        return texts(messages, DEVELOPER, change);
    }

    private static List<ParsedMessage> texts(
            List<ParsedMessage> messages, Predicate<ParsedMessage> which, UnaryOperator<String> change) {
        var changed = new ArrayList<ParsedMessage>();
        for (ParsedMessage message : messages) {
            changed.add(!which.test(message) ? message : with(message, change.apply(message.text())));
        }
        return changed;
    }

    private static ParsedMessage with(ParsedMessage message, String text) {
        return new ParsedMessage(message.author(), message.channel(), message.recipient(), message.contentType(), text);
    }

    private static String quoted(String text) {
        return '"' + text.replace("\"", "\\\"") + '"';
    }

    private static Stream<ParsedMessage> obeyed(ParsedMessage message) {
        if (message.author().role() != Role.USER) {
            return Stream.of(message);
        }
        return HarmonyParser.parsePrompt(SpokenTokens.of("<|start|>user<|message|>" + message.text() + "<|end|>"))
                .stream();
    }
}
