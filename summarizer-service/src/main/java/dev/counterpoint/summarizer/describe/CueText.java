package dev.counterpoint.summarizer.describe;

import java.text.Normalizer;
import java.util.List;
import java.util.Locale;

/// Brings text to the form in which cues are looked up: lower-case words without accents between single blanks, `#` for
/// each number, and a few signs as words of their own.
final class CueText {
    private static final String SIGNS = "=+%<>?";
    /// A shorter Arabic word keeps its first letters.
    private static final int ARTICLE_WORD_MIN = 5;

    private CueText() {}

    static String normal(String text) {
        var lower = Normalizer.normalize(text, Normalizer.Form.NFKD).toLowerCase(Locale.ROOT);
        var words = new StringBuilder(lower.length() + 2).append(' ');
        for (int i = 0; i < lower.length(); i++) {
            append(words, lower.charAt(i));
        }
        separate(words);
        return withoutArticles(Normalizer.normalize(words, Normalizer.Form.NFC));
    }

    /// The words of the normal form.
    static List<String> words(String text) {
        return List.of(normal(text).strip().split(" "));
    }

    /// Scripts without blanks between words: every character can begin a cue.
    static boolean unspaced(char c) {
        var script = Character.UnicodeScript.of(c);
        return script == Character.UnicodeScript.HAN
                || script == Character.UnicodeScript.HIRAGANA
                || script == Character.UnicodeScript.KATAKANA
                || c == 'ー';
    }

    private static void append(StringBuilder words, char c) {
        if (isAccent(c)) {
            return;
        }
        char plain = c == 'ı' ? 'i' : c == '×' || c == '·' ? '*' : c == '÷' ? '/' : c == '؟' ? '?' : c;
        if (plain == '`') {
            words.append(words.charAt(words.length() - 1) == '`' ? "" : " `");
        } else if (Character.isDigit(plain)) {
            if (words.charAt(words.length() - 1) != '#') {
                separate(words);
                words.append('#');
            }
        } else if (SIGNS.indexOf(plain) >= 0 || plain == '*' || plain == '/') {
            separate(words);
            words.append(plain).append(' ');
        } else if (isWordPart(plain)) {
            char last = words.charAt(words.length() - 1);
            if (last == '#' || last == '`') {
                separate(words);
            }
            words.append(plain);
        } else if ((plain != '.' && plain != ',') || words.charAt(words.length() - 1) != '#') {
            separate(words);
        }
    }

    private static boolean isWordPart(char c) {
        int type = Character.getType(c);
        return Character.isLetter(c)
                || Character.isSurrogate(c)
                || type == Character.NON_SPACING_MARK
                || type == Character.COMBINING_SPACING_MARK
                || c == 'ー';
    }

    private static boolean isAccent(char c) {
        return c >= '\u0300' && c <= '\u036F' || c >= '\u064B' && c <= '\u0655' || c == '\u0670' || c == '\u0640';
    }

    private static void separate(StringBuilder words) {
        if (words.charAt(words.length() - 1) != ' ') {
            words.append(' ');
        }
    }

    private static String withoutArticles(String words) {
        if (words.indexOf("ال") < 0) {
            return words;
        }
        var stripped = new StringBuilder(words.length()).append(' ');
        for (var word : words.strip().split(" ")) {
            int article = word.indexOf("ال");
            boolean strip = word.length() >= ARTICLE_WORD_MIN
                    && (article == 0 || article == 1 && "وفبك".indexOf(word.charAt(0)) >= 0);
            stripped.append(strip ? word.substring(article + 2) : word).append(' ');
        }
        return stripped.toString();
    }
}
