package dev.counterpoint.summarizer.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// Undoes what disguises words of letters alone, and looks for guarded ones among the results.
final class Disguises {
    private static final int LETTERS = 26;
    private static final int HALF = 13;
    private static final int SHORT = 4;
    private static final int LONG = 5;
    /// Words of other scripts are shorter.
    private static final int OTHER_SCRIPT = 2;

    private static final int MOVED_MAX = 3;
    private static final String SYLLABLE = "ay";
    private static final char LATIN_END = 0x250;
    private static final String CYRILLIC = "абвгдеёжзийклмнопрстуфхцчшщъыьэюяіј";
    private static final List<String> LOOKS = List.of(
            "a", "", "b", "r", "", "e", "e", "", "", "n", "n", "k", "", "m", "h", "o", "n", "p", "c", "t", "y", "", "x",
            "u", "", "w", "", "", "", "", "", "", "", "i", "j");
    private static final List<String> SOUNDS = List.of(
            "a", "b", "v", "g", "d", "e", "e", "zh", "z", "i", "y", "k", "l", "m", "n", "o", "p", "r", "s", "t", "u",
            "f", "kh", "ts", "ch", "sh", "sch", "", "y", "", "e", "yu", "ya", "i", "j");

    private final GuardedTexts texts;

    Disguises(GuardedTexts texts) {
        this.texts = texts;
    }

    boolean hideIn(List<TextWord> part) {
        var words = TextWord.folded(part);
        if (texts.areRunIn(words.reversed()) || undone(words, Disguises::reversed, SHORT)) {
            return true;
        }
        if (texts.words.occurIn(reversed(String.join("", words)))) {
            return true;
        }
        for (int shift = 1; shift < LETTERS; shift++) {
            int by = shift;
            if (undone(words, word -> shifted(word, by), shift == HALF ? SHORT : LONG)) {
                return true;
            }
        }
        return undone(words, Disguises::mirrored, SHORT)
                || undone(words, Disguises::undoubled, SHORT)
                || undone(words, Disguises::halved, SHORT)
                || pigLatin(words)
                || undone(words, word -> latin(word, LOOKS), SHORT)
                || undone(words, word -> latin(word, SOUNDS), SHORT);
    }

    /// Its beginning moved to its end, and a syllable behind.
    private boolean pigLatin(List<String> words) {
        for (int moved = 1; moved <= MOVED_MAX; moved++) {
            int by = moved;
            if (undone(words, word -> turned(word, by), SHORT)) {
                return true;
            }
        }
        return false;
    }

    private static String turned(String word, int moved) {
        int end = word.length() - SYLLABLE.length();
        if (!word.endsWith(SYLLABLE) || end <= moved) {
            return word;
        }
        return word.substring(end - moved, end) + word.substring(0, end - moved);
    }

    private static String halved(String word) {
        var half = new StringBuilder(word.length());
        for (int i = 0; i < word.length(); i += 2) {
            if (i + 1 == word.length() || word.charAt(i) != word.charAt(i + 1)) {
                return word;
            }
            half.append(word.charAt(i));
        }
        return half.toString();
    }

    private boolean undone(List<String> words, UnaryOperator<String> undo, int lengthMin) {
        var plain = new ArrayList<String>(words.size());
        for (var word : words) {
            var undisguised = undo.apply(word);
            boolean other = !undisguised.equals(word);
            int enough = word.charAt(0) < LATIN_END ? lengthMin : OTHER_SCRIPT;
            if (other && undisguised.length() >= enough && texts.words.containExactly(undisguised)) {
                return true;
            }
            plain.add(undisguised);
        }
        return !plain.equals(words)
                && (texts.areRunIn(plain)
                        || texts.areRunIn(plain.reversed())
                        || texts.words.occurIn(String.join("", plain)) && !texts.words.occurIn(String.join("", words)));
    }

    private static String reversed(String word) {
        return new StringBuilder(word).reverse().toString();
    }

    private static String shifted(String word, int by) {
        return mapped(word, c -> String.valueOf((char) ('a' + (c - 'a' + by) % LETTERS)));
    }

    /// The last letter of the alphabet for the first.
    private static String mirrored(String word) {
        return mapped(word, c -> String.valueOf((char) ('z' - (c - 'a'))));
    }

    private static String mapped(String word, java.util.function.IntFunction<String> letter) {
        var mapped = new StringBuilder(word.length());
        word.chars().forEach(c -> mapped.append(c >= 'a' && c <= 'z' ? letter.apply(c) : String.valueOf((char) c)));
        return mapped.toString();
    }

    private static String undoubled(String word) {
        var single = new StringBuilder(word.length());
        for (int i = 0; i < word.length(); i++) {
            if (i == 0 || word.charAt(i) != word.charAt(i - 1)) {
                single.append(word.charAt(i));
            }
        }
        return single.toString();
    }

    /// A word of Cyrillic letters as Latin ones that look or sound alike; any other word as it is.
    private static String latin(String word, List<String> letters) {
        var latin = new StringBuilder(word.length());
        for (int i = 0; i < word.length(); i++) {
            int at = CYRILLIC.indexOf(word.charAt(i));
            if (at < 0) {
                return word;
            }
            latin.append(letters.get(at));
        }
        return latin.toString();
    }
}
