package dev.counterpoint.summarizer.judge;

import java.lang.Character.UnicodeScript;
import java.text.Normalizer;
import org.jspecify.annotations.Nullable;

/// Brings a written text to the characters that prose is made of, or refuses it.
final class ProseText {
    /// Besides letters and blanks; none of them can open markup, hide or turn text around.
    private static final String SIGNS = ".,;:!?'\"()-–—…/&¿¡。、，；：！？「」『』（）《》·・،؛؟।";
    /// Letters that Unicode calls modifiers and Japanese writes every day.
    private static final String LENGTHENING = "ー々";

    /// Makes an Arabic word longer to look at.
    private static final String LENGTHENED = "\u0640";

    private ProseText() {}

    /// The text in NFC with plain quotation marks, hyphens and blanks; `null` when it holds anything invisible, a
    /// control character, half a surrogate pair, a symbol or a letter in disguise. Digits are left to others.
    static @Nullable String of(String text) {
        var composed = Normalizer.normalize(text, Normalizer.Form.NFC).replace(LENGTHENED, "");
        var plain = new StringBuilder(composed.length());
        for (int i = 0; i < composed.length(); i++) {
            char c = mapped(composed.charAt(i));
            boolean letter = Character.isLetter(c) && !disguised(c) || LENGTHENING.indexOf(c) >= 0;
            if (!letter && !isMark(c) && !Character.isDigit(c) && c != ' ' && SIGNS.indexOf(c) < 0) {
                return null;
            }
            plain.append(c);
        }
        return plain.toString().strip();
    }

    /// Vowel signs of Hindi and Arabic; a mark on any other letter has been composed with it, or is no language's.
    private static boolean isMark(char c) {
        int type = Character.getType(c);
        boolean mark = type == Character.NON_SPACING_MARK || type == Character.COMBINING_SPACING_MARK;
        return mark
                && (UnicodeScript.of(c) == UnicodeScript.DEVANAGARI || c >= '\u064B' && c <= '\u0655' || c == '\u0670');
    }

    private static boolean disguised(char c) {
        int type = Character.getType(c);
        return type == Character.MODIFIER_LETTER
                || c > 0x7F
                        && !Normalizer.isNormalized(String.valueOf(c), Normalizer.Form.NFKC)
                        && UnicodeScript.of(c) != UnicodeScript.DEVANAGARI;
    }

    private static char mapped(char c) {
        return switch (c) {
            case '‘', '’', '‚', '‹', '›' -> '\'';
            case '“', '”', '„', '«', '»' -> '"';
            case '\u2010', '\u2011' -> '-';
            case '\n', '\u00A0', '\u202F' -> ' ';
            default -> c;
        };
    }
}
