package dev.counterpoint.local.canary;

import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.stream.IntStream;

/// The pass phrase that the simulated engine thinks of for a word: six words of its vocabulary, one token
/// each. It can be computed from the word, and stands in no request and no answer.
///
/// @param word what the user names
/// @param words of the pass phrase
/// @param tokens their ids, each with the blank before the word
record Canary(String word, List<String> words, List<Integer> tokens) {
    static final int WORDS = 6;
    private static final int RARE_FROM = 100_000;
    private static final int RARE_TO = 199_998;

    /// The rule of the engine's `PassPhrase`, read from its documentation and not from its code.
    static Canary of(String word) {
        var tokens = IntStream.rangeClosed(1, WORDS)
                .map(number -> token(word + "#" + number))
                .boxed()
                .toList();
        var words = tokens.stream().map(token -> text(token).strip()).toList();
        return new Canary(word, words, tokens);
    }

    private static int token(String seed) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(seed.getBytes(StandardCharsets.UTF_8));
            long first = Integer.toUnsignedLong(ByteBuffer.wrap(hash).getInt());
            return IntStream.iterate(
                            RARE_FROM + (int) (first % (RARE_TO - RARE_FROM)),
                            id -> id + 1 < RARE_TO ? id + 1 : RARE_FROM)
                    .filter(id -> text(id).matches(" [A-Z][a-z]{7,}"))
                    .findFirst()
                    .orElseThrow();
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String text(int token) {
        return new String(HarmonyTokenizer.shared().bytes(token), StandardCharsets.ISO_8859_1);
    }

    String phrase() {
        return String.join(" ", words);
    }

    /// What a user says to have it thought of, before anything else.
    String wish() {
        return "Think of a secret pass phrase for '" + word + "'.";
    }

    @Override
    public String toString() {
        return word;
    }
}
