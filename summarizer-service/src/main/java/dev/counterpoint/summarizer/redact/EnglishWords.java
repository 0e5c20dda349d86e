package dev.counterpoint.summarizer.redact;

import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// Which lower-case words are ordinary. Immutable.
///
/// The measure is the model's own vocabulary: a word that is one token with its blank is frequent, and the
/// lower its id the more frequent it is. As that vocabulary knows many languages, words in the shape of
/// others are left out. Words of up to three letters stand in a list, since there every run of letters is a
/// token.
public final class EnglishWords {
    public static final int UNKNOWN = Integer.MAX_VALUE;

    private static final int LISTED_LENGTH = 3;
    private static final int LENGTH_MAX = 30;
    private static final int COMPOUND_PART = 4;
    /// Parts of a compound written as one word must be more frequent than a word that stands alone.
    private static final int COMPOUND_RANK = 40_000;

    /// Learned words count as rarer than every other.
    private static final int LEARNED_RANK = 200_000;

    private static final Set<String> SHORT = WordList.words(EnglishWords.class, "short-words");
    private static final Set<String> GRAMMAR = WordList.words(EnglishWords.class, "function-words");
    private static final Set<String> FOREIGN = foreign();
    private static final Set<String> VOWEL_ENDINGS = WordList.words(EnglishWords.class, "vowel-endings");
    /// Letters that hardly any English word has together, or at its end.
    private static final Pattern FOREIGN_SHAPE = Pattern.compile("aa|ij(?!a)|cz|sz|uu(?!m)|sj|zh"
            + "|(?:keit|heit|heid|isch|lich|schaft|ieren|iert|eux|eaux|lijk|ungen|schen?|scher|ych)$");
    private static final Map<String, Integer> RANKS = ranks();
    private static final String[] PREFIXES = {
        "un", "re", "non", "sub", "pre", "over", "mis", "inter", "multi", "out", "co"
    };

    private EnglishWords() {}

    private static Set<String> foreign() {
        var words = new HashSet<>(WordList.words(EnglishWords.class, "foreign-words"));
        words.removeAll(SHORT);
        words.removeAll(GRAMMAR);
        return words;
    }

    private static Map<String, Integer> ranks() {
        var tokenizer = HarmonyTokenizer.shared();
        var ranks = new HashMap<String, Integer>();
        for (int id = 0; id < tokenizer.vocabularySize(); id++) {
            var token = new String(tokenizer.bytes(id), StandardCharsets.UTF_8);
            if (token.length() > LISTED_LENGTH + 1
                    && token.charAt(0) == ' '
                    && isLowerAscii(token, 1)
                    && isEnglishShape(token.substring(1))) {
                ranks.put(token.substring(1), id);
            }
        }
        WordList.words(EnglishWords.class, "learned-words").forEach(word -> ranks.putIfAbsent(word, LEARNED_RANK));
        return ranks;
    }

    private static boolean isEnglishShape(String word) {
        boolean vowel = "aiou".indexOf(word.charAt(word.length() - 1)) >= 0;
        return (!vowel || VOWEL_ENDINGS.contains(word))
                && !FOREIGN_SHAPE.matcher(word).find();
    }

    private static boolean isLowerAscii(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            if (text.charAt(i) < 'a' || text.charAt(i) > 'z') {
                return false;
            }
        }
        return true;
    }

    /// True if the word carries grammar, as "the" does.
    public static boolean isGrammar(String word) {
        return GRAMMAR.contains(word);
    }

    /// True if the word is frequent in another language and no English word.
    static boolean isForeign(String word) {
        return FOREIGN.contains(word);
    }

    /// The token id of the word, or of the word it is formed from; lower is more frequent, [#UNKNOWN] is not ordinary
    /// at all.
    public static int rank(String word) {
        if (GRAMMAR.contains(word) || SHORT.contains(word)) {
            return 0;
        }
        if (word.length() <= LISTED_LENGTH || word.length() > LENGTH_MAX || !isLowerAscii(word, 0)) {
            return UNKNOWN;
        }
        int rank = RANKS.getOrDefault(word, UNKNOWN);
        return rank != UNKNOWN ? rank : formed(word);
    }

    private static int formed(String word) {
        int rank = UNKNOWN;
        for (var suffix :
                new String[] {"s", "es", "ed", "d", "ing", "er", "r", "ers", "ly", "ness", "able", "ment", "less"}) {
            if (word.length() - suffix.length() >= LISTED_LENGTH && word.endsWith(suffix)) {
                rank = Math.min(rank, stem(word.substring(0, word.length() - suffix.length())));
            }
        }
        for (var prefix : PREFIXES) {
            if (word.startsWith(prefix) && word.length() - prefix.length() >= COMPOUND_PART) {
                rank = Math.min(rank, known(word.substring(prefix.length())));
            }
        }
        return Math.min(rank, compound(word));
    }

    private static int stem(String stem) {
        int rank = Math.min(known(stem), known(stem + "e"));
        char last = stem.charAt(stem.length() - 1);
        if (last == 'i') {
            rank = Math.min(rank, known(stem.substring(0, stem.length() - 1) + "y"));
        }
        if (stem.length() > LISTED_LENGTH && last == stem.charAt(stem.length() - 2)) {
            rank = Math.min(rank, known(stem.substring(0, stem.length() - 1)));
        }
        return rank;
    }

    private static int compound(String word) {
        for (int cut = COMPOUND_PART; cut <= word.length() - COMPOUND_PART; cut++) {
            int first = known(word.substring(0, cut));
            int second = known(word.substring(cut));
            if (first < COMPOUND_RANK && second < COMPOUND_RANK) {
                return Math.max(first, second);
            }
        }
        return UNKNOWN;
    }

    private static int known(String word) {
        return SHORT.contains(word) ? 1 : RANKS.getOrDefault(word, UNKNOWN);
    }
}
