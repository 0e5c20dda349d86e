package dev.counterpoint.summarizer.describe;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.Character.UnicodeScript;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Every language says everything, in its own script.
class LanguageFileTest {
    @ParameterizedTest
    @EnumSource(SummaryLanguage.class)
    void hasEveryActivityAndSubjectAndFrame(SummaryLanguage language) {
        var file = LanguageFile.of(language);
        assertThat(file.titles().keySet()).containsExactly(Activity.values());
        assertThat(file.cues().values()).allSatisfy(cues -> assertThat(cues).isNotEmpty());
        var named = new HashSet<>(Set.of(Subject.values()));
        named.remove(Subject.GENERAL);
        assertThat(file.subjects().keySet()).containsExactlyInAnyOrderElementsOf(named);
        assertThat(file.frames().keySet()).containsExactlyInAnyOrder("title", "subject", "phrase");
        assertThat(file.frames().get("title")).containsOnlyOnce("{title}");
        assertThat(file.frames().values()).allSatisfy(frame -> assertThat(frame).containsOnlyOnce("{}"));
    }

    @ParameterizedTest
    @EnumSource(SummaryLanguage.class)
    void repeatsNothing(SummaryLanguage language) {
        var file = LanguageFile.of(language);
        assertThat(file.titles().values()).doesNotHaveDuplicates().allSatisfy(LanguageFileTest::isPlain);
        var sentences = file.sentences().values().stream().flatMap(List::stream).toList();
        assertThat(sentences).doesNotHaveDuplicates().allSatisfy(LanguageFileTest::isPlain);
        assertThat(sentences)
                .allSatisfy(sentence -> assertThat(".。।".indexOf(sentence.charAt(sentence.length() - 1)))
                        .isNotNegative());
        assertThat(file.subjects().values()).doesNotHaveDuplicates().allSatisfy(LanguageFileTest::isPlain);
    }

    @ParameterizedTest
    @EnumSource(SummaryLanguage.class)
    void keepsToItsScript(SummaryLanguage language) {
        var file = LanguageFile.of(language);
        var texts = new ArrayList<>(file.titles().values());
        file.sentences().values().forEach(texts::addAll);
        assertThat(texts).allSatisfy(text -> assertThat(scripts(text)).isSubsetOf(scripts(language)));
        var english = LanguageFile.of(SummaryLanguage.EN);
        if (language != SummaryLanguage.EN) {
            assertThat(texts).doesNotContainAnyElementsOf(english.titles().values());
            english.sentences().values().forEach(lines -> assertThat(texts).doesNotContainAnyElementsOf(lines));
        }
    }

    private static void isPlain(String text) {
        assertThat(text).isNotBlank().doesNotContain("{", "}", "|", "*", "  ").isEqualTo(text.strip());
    }

    private static Set<UnicodeScript> scripts(String text) {
        var scripts = new HashSet<UnicodeScript>();
        text.codePoints().filter(Character::isLetter).forEach(letter -> scripts.add(UnicodeScript.of(letter)));
        scripts.remove(UnicodeScript.COMMON);
        return scripts;
    }

    private static Set<UnicodeScript> scripts(SummaryLanguage language) {
        return switch (language) {
            case EN, DE, FR, ES, IT, PT, NL, PL, TR -> Set.of(UnicodeScript.LATIN);
            case RU -> Set.of(UnicodeScript.CYRILLIC);
            case AR -> Set.of(UnicodeScript.ARABIC);
            case HI -> Set.of(UnicodeScript.DEVANAGARI);
            case ZH -> Set.of(UnicodeScript.HAN);
            case JA -> Set.of(UnicodeScript.HAN, UnicodeScript.HIRAGANA, UnicodeScript.KATAKANA);
            case KO -> Set.of(UnicodeScript.HANGUL);
        };
    }
}
