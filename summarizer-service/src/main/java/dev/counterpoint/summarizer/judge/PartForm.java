package dev.counterpoint.summarizer.judge;

import dev.counterpoint.summarizer.summarise.SummaryPart;
import java.lang.Character.UnicodeScript;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// What a written part may look like.
final class PartForm {
    private static final int TITLE_MAX = 80;
    private static final int SENTENCE_MAX = 420;
    private static final int SENTENCES_MAX = 3;
    private static final int WORD_MAX = 32;
    private static final int SCRIPTS_MAX = 2;
    private static final Pattern SENTENCE_END = Pattern.compile("[.!?…。！？؟।]+(?= |$|[^\\p{Punct} ])");
    private static final Pattern SIGNS_IN_A_ROW =
            Pattern.compile("[^\\p{L}\\p{M}\\p{N} ]{4,}|(?:[^\\p{L}\\p{M}\\p{N} ] ){2,}");
    private static final Set<UnicodeScript> JAPANESE =
            Set.of(UnicodeScript.HAN, UnicodeScript.HIRAGANA, UnicodeScript.KATAKANA);

    private PartForm() {}

    /// A title in one line and one to three sentences.
    static boolean isRight(SummaryPart part) {
        var sentence = part.sentence().strip();
        var title = part.title().strip();
        long sentences = SENTENCE_END.matcher(sentence).results().count();
        return !title.isEmpty()
                && title.length() <= TITLE_MAX
                && title.indexOf('\n') < 0
                && sentence.length() <= SENTENCE_MAX
                && sentences >= 1
                && sentences <= SENTENCES_MAX
                && !SIGNS_IN_A_ROW.matcher(sentence).find()
                && !SIGNS_IN_A_ROW.matcher(title).find();
    }

    /// Words of one script each, none with capitals inside or with digits, unless everybody knows it.
    static boolean areWords(List<TextWord> words, PublicNames names) {
        var alphabets = new HashSet<UnicodeScript>();
        for (var word : words) {
            var scripts = scripts(word.shown());
            boolean known = names.contains(word);
            boolean plain = scripts.size() == 1
                    && (word.shown().length() <= WORD_MAX || scripts.contains(UnicodeScript.HAN))
                    && !word.isAllCapitals()
                    && !word.isCode()
                    && !word.hasDigit();
            if (!known && !plain) {
                return false;
            }
            alphabets.addAll(scripts);
        }
        return alphabets.size() <= SCRIPTS_MAX
                && !(alphabets.contains(UnicodeScript.CYRILLIC) && alphabets.contains(UnicodeScript.GREEK));
    }

    private static Set<UnicodeScript> scripts(String word) {
        var scripts = new HashSet<UnicodeScript>();
        word.codePoints().mapToObj(UnicodeScript::of).forEach(script -> {
            if (script != UnicodeScript.COMMON && script != UnicodeScript.INHERITED) {
                scripts.add(JAPANESE.contains(script) ? UnicodeScript.HAN : script);
            }
        });
        return scripts;
    }
}
