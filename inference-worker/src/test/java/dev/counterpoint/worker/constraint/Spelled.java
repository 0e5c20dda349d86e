package dev.counterpoint.worker.constraint;

import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;

/// The tokens of a text in which control tokens stand by name.
public final class Spelled {
    private static final Map<String, Integer> CONTROL = Map.of(
            "<|start|>", SpecialTokens.START,
            "<|end|>", SpecialTokens.END,
            "<|message|>", SpecialTokens.MESSAGE,
            "<|channel|>", SpecialTokens.CHANNEL,
            "<|constrain|>", SpecialTokens.CONSTRAIN,
            "<|return|>", SpecialTokens.RETURN,
            "<|call|>", SpecialTokens.CALL);

    private Spelled() {}

    public static int[] tokens(String text) {
        return Arrays.stream(text.splitWithDelimiters("<\\|[a-z]+\\|>", 0))
                .flatMapToInt(Spelled::piece)
                .toArray();
    }

    private static IntStream piece(String piece) {
        var control = CONTROL.get(piece);
        return control == null ? Arrays.stream(HarmonyTokenizer.shared().encode(piece)) : IntStream.of(control);
    }
}
