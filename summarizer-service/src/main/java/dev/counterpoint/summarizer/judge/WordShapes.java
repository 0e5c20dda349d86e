package dev.counterpoint.summarizer.judge;

import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.summarizer.describe.CommonWords;
import java.lang.Character.UnicodeScript;
import java.util.List;
import java.util.Set;

/// How ordinary a word is, in any language. The measure is the model's own vocabulary: a word that is one token with
/// its blank is frequent, and what falls into crumbs is a name, a code or no word at all.
final class WordShapes {
    /// English words with a higher token id are distinctive.
    private static final int RARE_ID = 60_000;
    /// Characters for each token of a word that is ordinary though the vocabulary does not hold it in one piece.
    private static final double ORDINARY = 4.5;

    private static final double ORDINARY_SHORT_SCRIPT = 2.5;
    private static final int NONSENSE_LENGTH_MIN = 5;
    private static final double NONSENSE = 2.01;
    private static final int VOWELLESS_MIN = 3;
    private static final Set<UnicodeScript> ALPHABETS = Set.of(UnicodeScript.LATIN, UnicodeScript.CYRILLIC);
    private static final List<String> ENDINGS = List.of("ing", "ed", "es", "s", "ly", "er");
    private static final int STEM_MIN = 4;
    private static final String VOWELS = "aeiouy";

    private WordShapes() {}

    /// True for content that is no common word of any language.
    static boolean isRare(TextWord word) {
        return word.isContent() && !CommonWords.contains(word.folded()) && !isFrequent(word.lower());
    }

    /// True if the vocabulary holds the word, or the English word that it is formed from, or large pieces of it.
    static boolean isFrequent(String lower) {
        if (isHeld(lower)) {
            return true;
        }
        for (var ending : ENDINGS) {
            int stem = lower.length() - ending.length();
            if (stem >= STEM_MIN && lower.endsWith(ending)) {
                var bare = lower.substring(0, stem);
                boolean doubled = bare.charAt(stem - 1) == bare.charAt(stem - 2);
                if (isHeld(bare) || isHeld(bare + "e") || doubled && isHeld(bare.substring(0, stem - 1))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isHeld(String lower) {
        int[] tokens = HarmonyTokenizer.shared().encode(" " + lower);
        boolean ascii = lower.chars().allMatch(c -> c < 0x80);
        if (tokens.length == 1) {
            return !ascii || tokens[0] < RARE_ID;
        }
        boolean alphabet = ALPHABETS.contains(UnicodeScript.of(lower.charAt(0)));
        return lower.length() >= (alphabet ? ORDINARY : ORDINARY_SHORT_SCRIPT) * tokens.length;
    }

    /// True for a row of letters that no language has for a word.
    static boolean isNonsense(TextWord word) {
        var lower = word.lower();
        if (UnicodeScript.of(lower.charAt(0)) != UnicodeScript.LATIN
                || CommonWords.contains(word.folded())
                || CommonWords.isGrammar(word.folded())) {
            return false;
        }
        boolean vowel = word.folded().chars().anyMatch(c -> VOWELS.indexOf(c) >= 0);
        if (!vowel && lower.length() >= VOWELLESS_MIN) {
            return true;
        }
        int tokens = HarmonyTokenizer.shared().countTokens(" " + lower);
        return lower.length() >= NONSENSE_LENGTH_MIN && lower.length() < NONSENSE * tokens;
    }
}
