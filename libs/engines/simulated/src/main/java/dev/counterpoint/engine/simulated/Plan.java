package dev.counterpoint.engine.simulated;

import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// The output that a generation intends, from its author's name on.
///
/// @param whole reasoning, then the answer or the call
/// @param answer the last message alone
record Plan(int[] whole, int[] answer) {
    static Plan of(PromptContent prompt) {
        var script = Script.of(prompt.question(), prompt.calls());
        var thoughts = new ArrayList<>(PassPhrase.steps(prompt.question()));
        thoughts.addAll(script.thoughts().isEmpty() ? Echo.thoughts(prompt) : script.thoughts());
        thoughts.removeIf(String::isBlank);
        var said = script.answer() == null ? Echo.answer(prompt) : script.answer();
        int[] answer = script.call() == null ? message("final", said, SpecialTokens.RETURN) : call(script.call());
        if (thoughts.isEmpty()) {
            return new Plan(answer, answer);
        }
        var analysis = message("analysis", String.join("\n\n", thoughts), SpecialTokens.END);
        return new Plan(joined(analysis, new int[] {SpecialTokens.START}, answer), answer);
    }

    /// @param text the function's name, a blank, and its arguments, or the text that another tool takes
    private static int[] call(String text) {
        var parts = text.split("\\s+", 2);
        var arguments = parts.length == 1 ? "{}" : parts[1];
        int[] header = encode("assistant", SpecialTokens.CHANNEL, "commentary to=functions." + parts[0]);
        int[] type = arguments.startsWith("{") ? encode(" ", SpecialTokens.CONSTRAIN, "json") : new int[0];
        return joined(header, type, encode("", SpecialTokens.MESSAGE, arguments), new int[] {SpecialTokens.CALL});
    }

    static int[] message(String channel, String text, int end) {
        return joined(
                encode("assistant", SpecialTokens.CHANNEL, channel),
                encode("", SpecialTokens.MESSAGE, text),
                new int[] {end});
    }

    private static int[] encode(String before, int mark, String after) {
        var tokenizer = HarmonyTokenizer.shared();
        return joined(tokenizer.encode(before), new int[] {mark}, tokenizer.encode(after));
    }

    static int[] joined(int[]... parts) {
        return List.of(parts).stream().flatMapToInt(IntStream::of).toArray();
    }

    /// The tokens to say behind a header that the prompt has begun.
    int[] behind(int[] opening) {
        if (opening.length == 0) {
            return joined(new int[] {SpecialTokens.START}, whole);
        }
        for (var text : List.of(whole, answer)) {
            if (Arrays.mismatch(text, opening) == opening.length) {
                return Arrays.copyOfRange(text, opening.length, text.length);
            }
        }
        return joined(new int[] {SpecialTokens.END, SpecialTokens.START}, whole);
    }
}
