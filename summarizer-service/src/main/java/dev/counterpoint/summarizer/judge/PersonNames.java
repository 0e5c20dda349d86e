package dev.counterpoint.summarizer.judge;

import dev.counterpoint.summarizer.describe.CommonWords;
import dev.counterpoint.summarizer.describe.SummaryLanguage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Finds names in texts: by capitals, by titles, and in scripts without capitals by what stands beside names.
final class PersonNames {
    private static final Set<String> TITLES = Set.of(
            "mr",
            "mrs",
            "ms",
            "miss",
            "dr",
            "prof",
            "herr",
            "frau",
            "monsieur",
            "madame",
            "mme",
            "senor",
            "senora",
            "sr",
            "sra",
            "signor",
            "signora",
            "senhor",
            "senhora",
            "mevrouw",
            "meneer",
            "pan",
            "pani",
            "bay",
            "bayan",
            "господин",
            "госпожа",
            "г",
            "سيد",
            "سيده",
            "اسمه",
            "اسمها",
            "يدعي",
            "دكتور",
            "श्री",
            "श्रीमती",
            "नाम",
            "डॉ");
    private static final Set<String> TITLES_BEHIND = Set.of("bey", "hanim", "씨", "님", "जी");
    private static final Pattern UNSPACED = Pattern.compile("(?:名叫|叫做|叫|姓名是|名前は)(\\p{IsHan}{2,3})"
            + "|(\\p{IsHan}{2,4}|\\p{IsKatakana}{2,6})(?:先生|女士|小姐|さん|氏|様|くん|ちゃん|君|教授)");

    private final PublicNames known;

    PersonNames(PublicNames known) {
        this.known = known;
    }

    /// The words of a text that are names.
    List<TextWord> in(List<TextWord> words, boolean german) {
        var names = new ArrayList<TextWord>();
        for (int i = 0; i < words.size(); i++) {
            var word = words.get(i);
            boolean titled = i > 0 && TITLES.contains(words.get(i - 1).folded())
                    || i > 1 && TITLES.contains(words.get(i - 2).folded()) && isOpen(words.get(i - 1))
                    || i + 1 < words.size()
                            && TITLES_BEHIND.contains(words.get(i + 1).folded());
            boolean paired = isOpen(word)
                    && (i > 0 && isOpen(words.get(i - 1)) && !word.opens()
                            || i + 1 < words.size()
                                    && isOpen(words.get(i + 1))
                                    && !words.get(i + 1).opens());
            boolean alone = german ? isOpen(word) && WordShapes.isRare(word) : isStrange(word);
            if (word.isContent() && (titled || paired && !german || alone && !word.opens())) {
                names.add(word);
            }
        }
        return names;
    }

    /// The names of a text in scripts without blanks.
    static List<String> unspacedIn(String text) {
        return UNSPACED.matcher(text)
                .results()
                .map(match -> match.group(1) != null ? match.group(1) : match.group(2))
                .toList();
    }

    /// Capitalised, and neither a common word nor a name that everybody knows.
    private boolean isOpen(TextWord word) {
        return word.isCapitalised()
                && !known.contains(word)
                && !CommonWords.isGrammar(word.folded())
                && !CommonWords.contains(word.folded());
    }

    private boolean isStrange(TextWord word) {
        return isOpen(word) && !WordShapes.isFrequent(word.lower());
    }

    /// True if a written part tells a name that is not known to everybody. German capitalises every noun, and every
    /// language the first word of a sentence: there only the names of the texts can be told apart.
    boolean areToldBy(List<TextWord> part, SummaryLanguage language) {
        return language != SummaryLanguage.DE && part.stream().anyMatch(word -> isStrange(word) && !word.opens());
    }
}
