package dev.counterpoint.worker.engine.simulated;

import dev.counterpoint.harmony.ParsedMessage;
import dev.counterpoint.harmony.ReasoningEffort;
import dev.counterpoint.harmony.Role;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a prompt asks for, read back from its tokens.
///
/// @param opening the header that the prompt has begun for the answer, as marked text
/// @param instructions of system and developer messages, without tools and formats
/// @param answerShape the schema the answer must have, or null for prose
/// @param wantsJson a JSON answer was asked for, with or without a schema
/// @param messages of users, assistant and tools, in order
record Situation(
        String opening,
        ReasoningEffort effort,
        String instructions,
        @Nullable Shape answerShape,
        boolean wantsJson,
        List<DeclaredTool> tools,
        List<ParsedMessage> messages,
        Wording wording) {
    /// Characters of one text that skills look at; of a longer one, its beginning and its end.
    private static final int READ_MAX = 20_000;

    /// What the user said last; what the developer wrote when no user spoke.
    String question() {
        for (int i = messages.size() - 1; i >= 0; i--) {
            if (messages.get(i).author().role() == Role.USER) {
                return clip(messages.get(i).text());
            }
        }
        return clip(instructions);
    }

    /// What came after the user's last words: the turn that is still open.
    List<ParsedMessage> openTurn() {
        int begin = 0;
        for (int i = 0; i < messages.size(); i++) {
            if (messages.get(i).author().role() == Role.USER) {
                begin = i + 1;
            }
        }
        return messages.subList(begin, messages.size());
    }

    /// What was said before the user's last words.
    List<ParsedMessage> earlier() {
        int end = messages.size() - openTurn().size() - 1;
        return end <= 0 ? List.of() : messages.subList(0, end);
    }

    /// The user's words before the last ones, oldest first.
    List<String> earlierQuestions() {
        return textsOf(earlier(), Role.USER);
    }

    /// What I answered before, oldest first; never my reasoning.
    List<String> earlierAnswers() {
        return earlier().stream()
                .filter(Situation::isAnswer)
                .map(message -> clip(message.text()))
                .toList();
    }

    /// What users and I said to each other before, oldest first.
    List<String> earlierWords() {
        return earlier().stream()
                .filter(message -> message.author().role() == Role.USER || isAnswer(message))
                .map(message -> clip(message.text()))
                .toList();
    }

    private static boolean isAnswer(ParsedMessage message) {
        return isOf(message, Role.ASSISTANT) && message.recipient() == null && !"analysis".equals(message.channel());
    }

    private static List<String> textsOf(List<ParsedMessage> messages, Role role) {
        return messages.stream()
                .filter(message -> message.author().role() == role)
                .map(message -> clip(message.text()))
                .toList();
    }

    /// The reasoning of the open turn that the prompt still holds.
    List<String> notes() {
        return openTurn().stream()
                .filter(message -> isOf(message, Role.ASSISTANT)
                        && "analysis".equals(message.channel())
                        && message.recipient() == null)
                .map(message -> clip(message.text()))
                .toList();
    }

    /// Calls that were made in these messages, with their results as far as they came.
    static List<MadeCall> calls(List<ParsedMessage> messages) {
        var calls = new ArrayList<MadeCall>();
        var results = new ArrayList<ParsedMessage>();
        for (var message : messages) {
            if (isOf(message, Role.ASSISTANT) && message.recipient() != null) {
                calls.add(new MadeCall(withoutNamespace(message.recipient()), message.text(), null));
            } else if (isOf(message, Role.TOOL)) {
                results.add(message);
            }
        }
        // Results come in the order of their calls; one without a call (a client that dropped it) stands for itself.
        for (int i = 0; i < results.size(); i++) {
            var text = clip(results.get(i).text());
            var name = results.get(i).author().name();
            var call = i < calls.size() ? calls.get(i) : new MadeCall(withoutNamespace(name), "{}", null);
            var answered = new MadeCall(call.tool(), call.arguments(), text);
            if (i < calls.size()) {
                calls.set(i, answered);
            } else {
                calls.add(answered);
            }
        }
        return calls;
    }

    private static String withoutNamespace(@Nullable String name) {
        return name == null ? "tool" : name.substring(name.indexOf('.') + 1);
    }

    private static boolean isOf(ParsedMessage message, Role role) {
        return message.author().role() == role;
    }

    private static String clip(String text) {
        return text.length() <= READ_MAX
                ? text
                : text.substring(0, READ_MAX / 2) + "\n" + text.substring(text.length() - READ_MAX / 2);
    }

    /// A tool call of this conversation; the result is null while it is missing.
    record MadeCall(String tool, String arguments, @Nullable String result) {}
}
