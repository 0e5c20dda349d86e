package dev.counterpoint.summarizer.judge;

import dev.counterpoint.summarizer.describe.CommonWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A word of a text.
///
/// @param shown as it stands there
/// @param folded in lower case, without accents: what is compared
/// @param opens whether a sentence, a line or a quotation begins with it
record TextWord(String shown, String folded, boolean opens) {
    /// The words of a text: runs of letters, digits and their marks.
    static List<TextWord> of(String text) {
        var words = new ArrayList<TextWord>();
        int start = -1;
        boolean opens = true;
        for (int i = 0; i <= text.length(); i++) {
            boolean inside = i < text.length() && isPart(text.charAt(i));
            if (inside && start < 0) {
                start = i;
            } else if (!inside && start >= 0) {
                var shown = text.substring(start, i);
                words.add(new TextWord(shown, CommonWords.folded(shown), opens));
                opens = false;
                start = -1;
            }
            opens |= i < text.length() && ".!?:\n\"“„«(¿¡".indexOf(text.charAt(i)) >= 0;
        }
        return words;
    }

    static List<String> folded(List<TextWord> words) {
        return words.stream().map(TextWord::folded).toList();
    }

    private static boolean isPart(char c) {
        int type = Character.getType(c);
        return Character.isLetterOrDigit(c)
                || Character.isSurrogate(c)
                || type == Character.NON_SPACING_MARK
                || type == Character.COMBINING_SPACING_MARK;
    }

    /// True unless it carries only grammar or is too short to tell anything.
    boolean isContent() {
        return folded.length() > (isHangul() ? 1 : 2) && !CommonWords.isGrammar(folded) && !folded.equals("#");
    }

    boolean isCapitalised() {
        return shown.length() > 1 && Character.isUpperCase(shown.charAt(0));
    }

    boolean isAllCapitals() {
        return shown.length() > 1 && shown.chars().allMatch(Character::isUpperCase);
    }

    boolean hasDigit() {
        return shown.chars().anyMatch(Character::isDigit);
    }

    /// Letters and digits, or capitals inside: how a code looks.
    boolean isCode() {
        boolean digits = hasDigit() && shown.chars().anyMatch(Character::isLetter);
        boolean inner = shown.chars().skip(1).anyMatch(Character::isUpperCase) && !isAllCapitals();
        return digits || inner;
    }

    boolean isHangul() {
        return Character.UnicodeScript.of(shown.charAt(0)) == Character.UnicodeScript.HANGUL;
    }

    String lower() {
        return shown.toLowerCase(Locale.ROOT);
    }
}
