package dev.counterpoint.engine.simulated;

import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Recites words that tell who said them when asked to `Recite 200 verifiable words after 40 thoughts`, for tests of
/// streams whose attempts follow each other: 40 words in the analysis (without `after …` there is no analysis), 200 in
/// the answer, one token each; a full stop follows each tenth word of a message and its last. Each word is a pure
/// function of the question, of all words before it and of the attempt that says it; the rule stands in the worker's
/// README. A mask that forbids the word that is due ends the generation.
final class VerifiableRecital implements TokenSpeaker {
    static final int COUNT = 64;
    private static final String CONSONANTS = "bcdfghklmnprstvw";
    private static final String VOWELS = "aeio";
    private static final int UNUSED_BITS = 58;
    private static final int WORDS_MAX = 20_000;
    private static final int QUESTION_MAX = 20_000;
    private static final int SENTENCE_WORDS = 10;
    private static final Pattern WISH =
            Pattern.compile("(?i)\\brecite (\\d{1,5}) verifiable words(?: after (\\d{1,5}) thoughts)?");

    private final int[] tokens = new int[COUNT];
    private final int[] line;
    private final int word = HarmonyMarkup.encode(String.valueOf(HarmonyMarkup.OTHER))[0];
    private final long attempt;
    private long said;
    private int position;

    private VerifiableRecital(String question, String attempt, String line) {
        this.attempt = fold(attempt);
        this.said = fold(question);
        this.line = HarmonyMarkup.encode(line);
        Arrays.setAll(tokens, number -> HarmonyTokenizer.shared().encode(spelled(number))[0]);
    }

    /// Null when nobody asks for a recital, or the prompt has begun the answer in another way.
    ///
    /// @param attempt its name
    static @Nullable VerifiableRecital of(PromptContent prompt, String attempt) {
        var question = prompt.question(QUESTION_MAX);
        var wish = WISH.matcher(question);
        if (!prompt.opening().equals("assistant") || !wish.find()) {
            return null;
        }
        int thoughts = wish.group(2) == null ? 0 : Integer.parseInt(wish.group(2));
        var line = thoughts == 0
                ? ""
                : message("analysis", thoughts) + HarmonyMarkup.END + HarmonyMarkup.START + "assistant";
        var answer = message("final", Integer.parseInt(wish.group(1))) + HarmonyMarkup.RETURN;
        return new VerifiableRecital(question, attempt, line + answer);
    }

    private static String message(String channel, int words) {
        var line = new StringBuilder()
                .append(HarmonyMarkup.CHANNEL)
                .append(channel)
                .append(HarmonyMarkup.MESSAGE);
        int count = Math.min(words, WORDS_MAX);
        for (int number = 1; number <= count; number++) {
            line.append(HarmonyMarkup.OTHER).append(number % SENTENCE_WORDS == 0 || number == count ? "." : "");
        }
        return line.toString();
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
        int token = due == word ? tokens[(int) (MadeUpLogprobs.mix(said ^ attempt) >>> UNUSED_BITS)] : due;
        return allowed.test(token) ? token : -1;
    }

    @Override
    public void accept(int token) {
        if (position < line.length && line[position] == word) {
            int number = COUNT - 1;
            while (number >= 0 && tokens[number] != token) {
                number--;
            }
            said = MadeUpLogprobs.mix(said ^ (number + 1));
        }
        position++;
    }
}
