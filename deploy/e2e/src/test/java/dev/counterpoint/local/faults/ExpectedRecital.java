package dev.counterpoint.local.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.util.Arrays;
import java.util.List;

/// Works out what the simulated engine recites, from the rule in the worker's README: each word follows from the
/// question, from all words before it, and from which attempt says it.
final class ExpectedRecital {
    private static final int WORDS = 64;
    private static final String CONSONANTS = "bcdfghklmnprstvw";
    private static final String VOWELS = "aeio";
    private static final int SHIFT = 58;

    private static final int[] TOKENS = tokens();

    private long said;

    /// @param question the text of the last message of the user
    ExpectedRecital(String question) {
        said = fold(question);
    }

    private static int[] tokens() {
        var tokens = new int[WORDS];
        Arrays.setAll(tokens, number -> HarmonyTokenizer.shared().encode(spelled(number))[0]);
        return tokens;
    }

    /// The first word, counted over the whole output, that its attempt would not have said there; -1 when all are
    /// right.
    ///
    /// @param segments of the output, in order
    /// @param id of the response
    int wrong(List<Told.Segment> segments, String id) {
        int count = 0;
        for (var segment : segments) {
            for (int token : segment.tokens()) {
                if (isWord(token)) {
                    if (token != next(id, segment.nonce())) {
                        return count;
                    }
                    count++;
                }
            }
        }
        return -1;
    }

    /// Other tokens are headers and full stops.
    static boolean isWord(int token) {
        return Arrays.stream(TOKENS).anyMatch(word -> word == token);
    }

    /// The token that says the next word, and that word is said.
    int next(String id, long nonce) {
        int due = (int) (mix(said ^ fold("%s.%016x".formatted(id, nonce))) >>> SHIFT);
        said = mix(said ^ (due + 1));
        return TOKENS[due];
    }

    private static String spelled(int number) {
        return " " + CONSONANTS.charAt(number / VOWELS.length()) + VOWELS.charAt(number % VOWELS.length());
    }

    private static long fold(String text) {
        long folded = 0;
        for (byte octet : text.getBytes(UTF_8)) {
            folded = mix(folded ^ (octet & 0xFF));
        }
        return folded;
    }

    private static long mix(long x) {
        long mixed = x + 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }
}
