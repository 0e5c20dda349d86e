package dev.counterpoint.worker.engine.simulated;

import dev.counterpoint.harmony.HarmonyTokenizer;
import dev.counterpoint.harmony.SpecialTokens;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Recites [VerifiableWords] when asked to `Recite 200 verifiable words after 40 thoughts`, for tests of what happens
/// to a stream when attempts follow each other. 40 words stand in the analysis (none and no analysis without
/// `after …`), 200 in the answer, one token each; a full stop follows each tenth word of a message and its last.
/// Nothing else of the prompt matters, and of the output's form nothing can be asked: under a mask that forbids
/// the word that is due, it fails.
final class Recital implements Speaker {
    private static final int WORDS_MAX = 20_000;
    private static final int SENTENCE_WORDS = 10;
    private static final Pattern WISH =
            Pattern.compile("(?i)\\brecite (\\d{1,5}) verifiable words(?: after (\\d{1,5}) thoughts)?");
    /// A control token that no line has, in the place of a word.
    private static final char WORD = '\uF8E7';

    private final VerifiableWords words;
    private final int[] tokens = new int[VerifiableWords.COUNT];
    private final int[] line;
    private final int word;
    private int position;

    private Recital(HarmonyTokenizer tokenizer, VerifiableWords words, String line) {
        this.words = words;
        this.line = MarkedText.encode(tokenizer, line);
        word = MarkedText.encode(tokenizer, String.valueOf(WORD))[0];
        Arrays.setAll(tokens, number -> tokenizer.encode(VerifiableWords.spelled(number))[0]);
    }

    /// Null when nobody asks for it, or the prompt has begun the answer in another way.
    ///
    /// @param attempt its name
    static @Nullable Recital of(HarmonyTokenizer tokenizer, Situation situation, String attempt) {
        var question = situation.question();
        var wish = WISH.matcher(question);
        if (!situation.opening().equals("assistant") || !wish.find()) {
            return null;
        }
        int thoughts = wish.group(2) == null ? 0 : Integer.parseInt(wish.group(2));
        var line = new StringBuilder();
        if (thoughts > 0) {
            message(line, "analysis", thoughts, MarkedText.END);
            line.append(MarkedText.START).append("assistant");
        }
        message(line, "final", Integer.parseInt(wish.group(1)), MarkedText.RETURN);
        return new Recital(tokenizer, new VerifiableWords(question, attempt), line.toString());
    }

    private static void message(StringBuilder line, String channel, int words, char last) {
        line.append(MarkedText.CHANNEL).append(channel).append(MarkedText.MESSAGE);
        int count = Math.min(words, WORDS_MAX);
        for (int number = 1; number <= count; number++) {
            line.append(WORD).append(number % SENTENCE_WORDS == 0 || number == count ? "." : "");
        }
        line.append(last);
    }

    @Override
    public int choose(IntPredicate allowed, long @Nullable [] mask) {
        int due = position >= line.length ? SpecialTokens.RETURN : line[position];
        int token = due == word ? tokens[words.next()] : due;
        return allowed.test(token) ? token : -1;
    }

    @Override
    public void accept(int token) {
        if (position < line.length && line[position] == word) {
            words.said(number(token));
        }
        position++;
    }

    private int number(int token) {
        for (int number = 0; number < tokens.length; number++) {
            if (tokens[number] == token) {
                return number;
            }
        }
        return -1;
    }
}
