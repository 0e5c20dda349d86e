package dev.counterpoint.summarizer.judge;

import dev.counterpoint.summarizer.summarise.SummaryPart;
import java.util.regex.Pattern;

/// The form of a written part: a title in one line and one to three sentences, of Latin letters and plain punctuation.
final class PartForm {
    private static final int TITLE_MAX = 80;
    private static final int TEXT_MAX = 420;
    private static final int SENTENCES_MAX = 3;
    /// Composed letters up to Latin Extended-B: none that only looks like a letter.
    private static final Pattern PLAIN =
            Pattern.compile("[a-zA-Z\u00C0-\u024F0-9 .,;:!?'\"()\u2013\u2014\u2026/&\u00BF\u00A1‘’“”„«»-]+");
    private static final Pattern SENTENCE_END = Pattern.compile("[.!?…]+(?=[\"'”»)]* |[\"'”»)]*$)");
    private static final Pattern SIGNS_IN_A_ROW = Pattern.compile("[^\\p{L}\\p{Nd} ]{4,}|(?:[^\\p{L}\\p{Nd} ] ){2,}");

    private PartForm() {}

    static boolean isRight(SummaryPart part) {
        long sentences = SENTENCE_END.matcher(part.sentence()).results().count();
        return isPlain(part.title(), TITLE_MAX)
                && isPlain(part.sentence(), TEXT_MAX)
                && sentences >= 1
                && sentences <= SENTENCES_MAX;
    }

    private static boolean isPlain(String text, int lengthMax) {
        return text.length() <= lengthMax
                && text.codePoints().anyMatch(Character::isLetter)
                && PLAIN.matcher(text).matches()
                && !SIGNS_IN_A_ROW.matcher(text).find();
    }
}
