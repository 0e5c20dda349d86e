package dev.counterpoint.engine.simulated;

import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Recites words from which a test learns the attempt and finds lost or repeated words. `Recite 200 verifiable words
/// after 40 thoughts` gives 40 words in the analysis (without `after …` there is no analysis) and 200 in the answer,
/// one token each. A full stop follows each tenth word of a message and its last. A mask that forbids the next word
/// makes the generation fail. The rule, in 64-bit arithmetic that wraps around:
///
/// - `mix(x)`: `x += 0x9E3779B97F4A7C15`; `x = (x ^ x>>>30) * 0xBF58476D1CE4E5B9`;
///   `x = (x ^ x>>>27) * 0x94D049BB133111EB`; the result is `x ^ x>>>31`
/// - `fold(text)`: from `h = 0`, for each UTF-8 byte `h = mix(h ^ byte)`; `said(0) = fold(question)`
/// - `attempt`: the response's id as in the log's keys, a full stop, and the fence's nonce in 16 lower-case hex digits
/// - word `n` is number `i = mix(said(n) ^ fold(attempt)) >>> 58`, spelled as a blank, character `i / 4` of
///   `bcdfghklmnprstvw`, character `i % 4` of `aeio`
/// - `said(n + 1) = mix(said(n) ^ (i + 1))`
final class VerifiableRecital implements TokenSpeaker {
    static final int COUNT = 64;
    /// Takes the place of a word in the line.
    private static final int WORD = SpecialTokens.END_OF_TEXT;
    private static final String CONSONANTS = "bcdfghklmnprstvw";
    private static final String VOWELS = "aeio";
    private static final int UNUSED_BITS = 58;
    private static final int WORDS_MAX = 20_000;
    private static final int SENTENCE_WORDS = 10;
    private static final Pattern WISH =
            Pattern.compile("(?i)\\brecite (\\d{1,5}) verifiable words(?: after (\\d{1,5}) thoughts)?");

    private final int[] tokens = new int[COUNT];
    private final int[] line;
    private final long attempt;
    private long said;
    private int position;

    private VerifiableRecital(String question, String attempt, int[] line) {
        this.attempt = fold(attempt);
        this.said = fold(question);
        this.line = line;
        Arrays.setAll(tokens, number -> HarmonyTokenizer.shared().encode(spelled(number))[0]);
    }

    /// Null when nobody asks for a recital, or the prompt has begun the answer in another way.
    ///
    /// @param attempt its name
    static @Nullable VerifiableRecital of(PromptContent prompt, String attempt) {
        var wish = WISH.matcher(prompt.question());
        int[] assistant = HarmonyTokenizer.shared().encode("assistant");
        if (!Arrays.equals(prompt.opening(), assistant) || !wish.find()) {
            return null;
        }
        int thoughts = wish.group(2) == null ? 0 : Integer.parseInt(wish.group(2));
        int[] answer = message("final", Integer.parseInt(wish.group(1)), SpecialTokens.RETURN);
        int[] whole = thoughts == 0
                ? answer
                : Plan.joined(
                        message("analysis", thoughts, SpecialTokens.END), new int[] {SpecialTokens.START}, answer);
        return new VerifiableRecital(
                prompt.question(), attempt, Arrays.copyOfRange(whole, assistant.length, whole.length));
    }

    private static int[] message(String channel, int words, int end) {
        int[] stop = HarmonyTokenizer.shared().encode(".");
        int count = Math.min(words, WORDS_MAX);
        int[] body = IntStream.rangeClosed(1, count)
                .flatMap(number ->
                        IntStream.of(WORD, stop[0]).limit(number % SENTENCE_WORDS == 0 || number == count ? 2 : 1))
                .toArray();
        int[] header = Plan.message(channel, "", end);
        return Plan.joined(Arrays.copyOf(header, header.length - 1), body, new int[] {end});
    }

    static String spelled(int number) {
        return " " + CONSONANTS.charAt(number / VOWELS.length()) + VOWELS.charAt(number % VOWELS.length());
    }

    private static long fold(String text) {
        long folded = 0;
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            folded = MadeUpLogprobs.mix(folded ^ (octet & 0xFF));
        }
        return folded;
    }

    @Override
    public int choose(IntPredicate allowed, long @Nullable [] mask) {
        int due = position >= line.length ? SpecialTokens.RETURN : line[position];
        int token = due == WORD ? tokens[(int) (MadeUpLogprobs.mix(said ^ attempt) >>> UNUSED_BITS)] : due;
        return allowed.test(token) ? token : -1;
    }

    @Override
    public void accept(int token) {
        if (position < line.length && line[position] == WORD) {
            int number = COUNT - 1;
            while (number >= 0 && tokens[number] != token) {
                number--;
            }
            said = MadeUpLogprobs.mix(said ^ (number + 1));
        }
        position++;
    }
}
