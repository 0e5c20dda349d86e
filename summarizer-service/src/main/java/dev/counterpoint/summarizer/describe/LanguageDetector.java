package dev.counterpoint.summarizer.describe;

import java.lang.Character.UnicodeScript;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/// Detects the language of a user's message by script, frequent words, letters and groups of three letters; the
/// default is English.
final class LanguageDetector {
    /// The weight of a frequent word, in the logarithms of [LetterGroups].
    private static final int WORD = 9;
    /// The weight of a typical letter.
    private static final int LETTER = 3;

    private static final List<SummaryLanguage> LATIN = List.of(
            SummaryLanguage.EN,
            SummaryLanguage.DE,
            SummaryLanguage.FR,
            SummaryLanguage.ES,
            SummaryLanguage.IT,
            SummaryLanguage.PT,
            SummaryLanguage.NL,
            SummaryLanguage.PL,
            SummaryLanguage.TR);
    private static final Map<SummaryLanguage, String> LETTERS = Map.of(
            SummaryLanguage.DE, "äöüß",
            SummaryLanguage.FR, "éèêàçœùûîôë",
            SummaryLanguage.ES, "ñ¿¡áéíóú",
            SummaryLanguage.IT, "àèìòù",
            SummaryLanguage.PT, "ãõçáâêéíóú",
            SummaryLanguage.NL, "ëï",
            SummaryLanguage.PL, "ąćęłńóśźż",
            SummaryLanguage.TR, "ğışçöüİ");
    private static final Map<SummaryLanguage, LetterGroups> GROUPS = groups();

    /// Text that is not in the user's own words: blocks of code (the last may be open), quotations, formulas,
    /// addresses and paths.
    private static final Pattern QUOTED = Pattern.compile(String.join(
            "|",
            "(?s:```.*?(?:```|\\z))",
            "`[^`\\n]{1,200}`",
            "\"[^\"\\n]{1,400}\"",
            "[“„][^“”\\n]{1,400}[“”]",
            "«[^»\\n]{1,400}»",
            "「[^」\\n]{1,400}」",
            "\\$[^$\\n]{1,200}\\$",
            "\\\\\\([^\\n]{1,200}?\\\\\\)",
            "[\\w.:~-]*+[/\\\\][\\w.-]++[/\\\\][^\\s]*",
            "https?://[^\\s]+"));

    private LanguageDetector() {}

    static SummaryLanguage of(String text) {
        var prose = QUOTED.matcher(PastedLines.removed(text)).replaceAll(" ");
        return ofProse(prose.chars().anyMatch(Character::isLetter) ? prose : text);
    }

    private static SummaryLanguage ofProse(String text) {
        var scripts = new EnumMap<UnicodeScript, Integer>(UnicodeScript.class);
        text.codePoints()
                .filter(Character::isLetter)
                .forEach(letter -> scripts.merge(UnicodeScript.of(letter), 1, Integer::sum));
        int kana = count(scripts, UnicodeScript.HIRAGANA) + count(scripts, UnicodeScript.KATAKANA);
        int han = count(scripts, UnicodeScript.HAN);
        // A word of Latin letters is as long as three of these characters, and names and code are often Latin.
        int latin = count(scripts, UnicodeScript.LATIN) / 3;
        var best = SummaryLanguage.EN;
        int most = latin;
        for (var other : List.of(
                Map.entry(kana * 10 >= han ? SummaryLanguage.JA : SummaryLanguage.ZH, han + kana),
                Map.entry(SummaryLanguage.RU, count(scripts, UnicodeScript.CYRILLIC)),
                Map.entry(SummaryLanguage.AR, count(scripts, UnicodeScript.ARABIC)),
                Map.entry(SummaryLanguage.HI, count(scripts, UnicodeScript.DEVANAGARI)),
                Map.entry(SummaryLanguage.KO, count(scripts, UnicodeScript.HANGUL)))) {
            if (other.getValue() > most) {
                best = other.getKey();
                most = other.getValue();
            }
        }
        return best == SummaryLanguage.EN ? latin(text) : best;
    }

    private static SummaryLanguage latin(String text) {
        var words = CueText.words(text);
        var groups = LetterGroups.of(words);
        var lower = text.toLowerCase(Locale.ROOT);
        var best = SummaryLanguage.EN;
        double most = Double.NEGATIVE_INFINITY;
        for (var language : LATIN) {
            var frequent = LanguageFile.of(language).stopWords();
            var letters = LETTERS.getOrDefault(language, "");
            double score = Objects.requireNonNull(GROUPS.get(language)).likelihood(groups)
                    + WORD * words.stream().filter(frequent::contains).count()
                    + LETTER
                            * lower.chars()
                                    .filter(letter -> letters.indexOf(letter) >= 0)
                                    .count();
            if (score > most) {
                best = language;
                most = score;
            }
        }
        return best;
    }

    private static int count(Map<UnicodeScript, Integer> scripts, UnicodeScript script) {
        return scripts.getOrDefault(script, 0);
    }

    private static Map<SummaryLanguage, LetterGroups> groups() {
        var groups = new EnumMap<SummaryLanguage, LetterGroups>(SummaryLanguage.class);
        LATIN.forEach(language -> groups.put(language, new LetterGroups(LanguageFile.of(language))));
        return groups;
    }
}
