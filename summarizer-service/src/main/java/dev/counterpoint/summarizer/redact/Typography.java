package dev.counterpoint.summarizer.redact;

import java.text.Normalizer;
import org.jspecify.annotations.Nullable;

/// Brings text to the few characters that summaries are made of, or refuses it.
public final class Typography {
    /// Besides letters, digits and blanks; none of them can open markup, hide or turn text around.
    private static final String PLAIN = ".,;:!?'\"()-–—…%/*+=<>≤≥≈≠±×÷·°€£$&→√π^²³½¼¾~#@_`[]|\\{}";

    private Typography() {}

    /// The text in NFC with plain quotation marks, hyphens and blanks; `null` when it holds anything
    /// invisible, any control character, half a surrogate pair, a symbol or a letter in disguise.
    public static @Nullable String plain(String text) {
        var plain = new StringBuilder(text.length());
        var composed = Normalizer.normalize(text, Normalizer.Form.NFC);
        for (int i = 0; i < composed.length(); i++) {
            char c = mapped(composed.charAt(i));
            boolean mark = Character.getType(c) == Character.NON_SPACING_MARK
                    || Character.getType(c) == Character.COMBINING_SPACING_MARK;
            boolean letter =
                    Character.isLetter(c) && Character.getType(c) != Character.MODIFIER_LETTER && !disguised(c);
            if (!letter && !mark && !(c >= '0' && c <= '9') && c != ' ' && PLAIN.indexOf(c) < 0) {
                return null;
            }
            plain.append(c);
        }
        return plain.toString().strip();
    }

    private static boolean disguised(char c) {
        return c > 0x7F && !Normalizer.isNormalized(String.valueOf(c), Normalizer.Form.NFKC);
    }

    private static char mapped(char c) {
        return switch (c) {
            case '‘', '’', '‚', '‹', '›' -> '\'';
            case '“', '”', '„', '«', '»' -> '"';
            case '\u2010', '\u2011', '\u2212' -> '-';
            case '\n', '\r', '\t', '\u00A0', '\u202F', '\u2009' -> ' ';
            case '•' -> '-';
            default -> c;
        };
    }

    /// The letters and digits of a text, folded to lower case: what is left to compare when blanks and signs are played
    /// with.
    public static String squeezed(String text) {
        var squeezed = new StringBuilder(text.length());
        Normalizer.normalize(text, Normalizer.Form.NFKC)
                .codePoints()
                .filter(Character::isLetterOrDigit)
                .map(Character::toLowerCase)
                .forEach(squeezed::appendCodePoint);
        return squeezed.toString();
    }
}
