package dev.counterpoint.engine.simulated;

import dev.counterpoint.harmony.model.ReasoningEffort;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.parse.ParsedMessage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The content of a prompt, read back from its tokens.
///
/// @param opening the header that the prompt has begun for the answer, as marked text
/// @param instructions of system and developer messages, without tools and formats
/// @param structured whether the answer must be JSON of a form that the prompt gives
/// @param messages of users, assistant and tools, in order
/// @param seed chooses between ways to say the same; 0 takes the first
record PromptContent(
        String opening,
        ReasoningEffort effort,
        String instructions,
        boolean structured,
        List<DeclaredTool> tools,
        List<ParsedMessage> messages,
        long seed) {
    /// Characters of one text that skills read; of a longer text they read the beginning and the end. This bounds the
    /// work of every regular expression.
    static final int READ_MAX = 4_000;
    /// Of a long conversation, only so many messages count as said.
    private static final int MESSAGES_MAX = 200;

    String pick(String... variants) {
        return seed == 0
                ? variants[0]
                : variants[(int) Math.floorMod(MadeUpLogprobs.mix(seed), (long) variants.length)];
    }

    /// The user's last words, or the developer's where no user spoke.
    String question() {
        return question(READ_MAX);
    }

    String question(int most) {
        int last = lastUser();
        return clip(last < 0 ? instructions : messages.get(last).text(), most);
    }

    private int lastUser() {
        for (int i = messages.size() - 1; i >= 0; i--) {
            if (messages.get(i).author().role() == Role.USER) {
                return i;
            }
        }
        return -1;
    }

    /// The messages after the user's last words: the turn that is still open.
    List<ParsedMessage> openTurn() {
        return latest(messages.subList(lastUser() + 1, messages.size()));
    }

    /// The messages before the user's last words.
    List<ParsedMessage> earlier() {
        return latest(messages.subList(0, Math.max(0, lastUser())));
    }

    private static List<ParsedMessage> latest(List<ParsedMessage> messages) {
        return messages.subList(Math.max(0, messages.size() - MESSAGES_MAX), messages.size());
    }

    /// The user's words before the last ones, oldest first.
    List<String> earlierQuestions() {
        return earlier().stream()
                .filter(message -> message.author().role() == Role.USER)
                .map(message -> clip(message.text(), READ_MAX))
                .toList();
    }

    /// The reasoning of the open turn that the prompt still holds.
    List<String> notes() {
        return openTurn().stream()
                .filter(message -> "analysis".equals(message.channel()) && message.recipient() == null)
                .map(message -> clip(message.text(), READ_MAX))
                .toList();
    }

    /// A tool call of this conversation; the result is null while it is missing.
    record MadeCall(String tool, String arguments, @Nullable String result) {}

    /// The calls in these messages, with their results, which come in the order of the calls. A result without a call
    /// (from a client that dropped the call) stands for itself.
    static List<MadeCall> calls(List<ParsedMessage> messages) {
        var calls = new ArrayList<MadeCall>();
        int answered = 0;
        for (var message : messages) {
            var text = clip(message.text(), READ_MAX);
            if (message.author().role() == Role.ASSISTANT && message.recipient() != null) {
                calls.add(new MadeCall(bareName(message.recipient()), text, null));
            } else if (message.author().role() == Role.TOOL) {
                if (answered == calls.size()) {
                    calls.add(new MadeCall(bareName(message.author().name()), "{}", null));
                }
                var call = calls.get(answered);
                calls.set(answered++, new MadeCall(call.tool(), call.arguments(), text));
            }
        }
        return calls;
    }

    private static String bareName(@Nullable String name) {
        return name == null ? "tool" : name.substring(name.indexOf('.') + 1);
    }

    static String clip(String text, int most) {
        int half = most / 2;
        return text.length() <= most ? text : text.substring(0, half) + "\n" + text.substring(text.length() - half);
    }
}
