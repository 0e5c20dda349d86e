package dev.counterpoint.summarizer.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.summarizer.describe.SummaryLanguage;
import dev.counterpoint.summarizer.safety.LeakCheck;
import dev.counterpoint.summarizer.safety.SafetyReport;
import dev.counterpoint.summarizer.safety.SafetyRow;
import dev.counterpoint.summarizer.summarise.SummaryPart;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PartJudgeTest {
    private static final int COMMON_RUN_MAX = 4;
    private static final int PARTS = 4_000;
    private static final String SHOWN = "shown";
    private static final SummaryPart PART = new SummaryPart("Looking at bread", "I'm thinking about what keeps fresh.");

    /// A writer that mixes words of its own with pieces of the reasoning and of the developer's text.
    @Test
    void showsNoFiveWordsOfTheTextsInARow() {
        var random = new Random(7);
        var rows = SafetyRow.invented();
        int shown = 0;
        for (int i = 0; i < PARTS; i++) {
            var row = rows.get(random.nextInt(rows.size()));
            var judge = new PartJudge(SummaryLanguage.EN, row.user(), List.of(row.developer()));
            judge.reasoned(row.cot());
            var sentence = "I think of " + piece(row.cot(), random) + " and " + piece(row.developer(), random) + ".";
            var part = new SummaryPart("Looking around", sentence);
            if (judge.judge(part) == null) {
                shown++;
                assertThat(LeakCheck.longestCommonRun(row.cot(), part.text())).isLessThanOrEqualTo(COMMON_RUN_MAX);
                assertThat(LeakCheck.longestCommonRun(row.developer(), part.text()))
                        .isLessThanOrEqualTo(COMMON_RUN_MAX);
            }
        }
        assertThat(shown).isPositive();
    }

    private static String piece(String text, Random random) {
        var words = text.split(" ");
        int from = random.nextInt(words.length);
        return String.join(
                " ", Arrays.asList(words).subList(from, Math.min(words.length, from + 1 + random.nextInt(7))));
    }

    @Test
    void showsNoSecretOfOurLeakCases() {
        assertThat(leaks("safety-written-invented.json", SafetyRow.invented())).isEmpty();
    }

    @Test
    void showsNoSecretOfTheConformanceLeakCases() {
        assertThat(leaks("safety-written.json", SafetyRow.conformance())).isEmpty();
    }

    /// What may not come out of the cases, written into a sentence, comes out nowhere. The report has the figures in
    /// any
    /// case. Nothing is written where the user's language has no list.
    private static List<String> leaks(String report, List<SafetyRow> rows) {
        var leaks = new ArrayList<String>();
        var parts = new HashMap<String, Integer>();
        for (var row : rows) {
            for (var secret :
                    Stream.concat(row.hard().stream(), row.soft().stream()).toList()) {
                var verdict = verdict(row, secret);
                parts.merge(verdict, 1, Integer::sum);
                if (verdict.equals(SHOWN)) {
                    leaks.add(row.id() + " " + row.family());
                }
            }
        }
        SafetyReport.write(report, Map.of("tier", "written", "parts_by_filter", parts, "leaks", leaks));
        return leaks;
    }

    private static String verdict(SafetyRow row, String secret) {
        var language = SummaryLanguage.of(row.user());
        if (!PartJudge.reads(language)) {
            return "no list";
        }
        var judge = new PartJudge(language, row.user(), List.of(row.developer()));
        judge.reasoned(row.cot());
        var title = language == SummaryLanguage.EN ? "Looking around" : "Respuesta";
        var refusal = judge.judge(
                new SummaryPart(title, language == SummaryLanguage.EN ? "I think of " + secret + "." : secret + "."));
        return refusal == null ? SHOWN : refusal.name();
    }

    @Test
    void decidesAlikeHoweverTheReasoningIsCut() {
        var reasoning = "The user asks about bread. The passphrase for everybody who comes to work in the shop in the "
                + "morning, as was agreed, is velvet harbour. It is rye that keeps.";
        for (int cut = 0; cut < reasoning.length(); cut++) {
            var judge = judge(List.of());
            judge.reasoned(reasoning.substring(0, cut));
            judge.judge(PART);
            judge.reasoned(reasoning.substring(cut));
            assertThat(judge.judge(saying("I'm looking at velvet.")))
                    .as("cut at %d", cut)
                    .isEqualTo(PartRefusal.GUARDED);
        }
    }

    /// Each rule refuses an example of its own.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "FORM     | I look. I see. I think. I go on.",
                "FORM     | I'm compa\u200Bring the kinds.",
                "FORM     | I'm looking at *this* one.",
                "DIGITS   | I'm considering 20 kinds.",
                "WORDS    | I'm considering twenty kinds.",
                "WORDS    | I'm thinking of what Quillmere would like.",
                "WORDS    | I'm thinking of what Johnson would like.",
                "WORDS    | I'm looking at BreadKind for this.",
                "GUARDED  | I'm considering saffron for this.",
                "GUARDED  | I'm considering marbles for this.",
                "GUARDED  | I'm looking at velvet.",
                "RUNS     | It would be good to look around.",
                "RUNS     | Around look to good be would it.",
                "HIDDEN   | I'm thinking about the reward.",
                "HIDDEN   | I look at a car pet for this.",
                "HIDDEN   | Any more bread, each really good, would help."
            })
    void eachRuleRefusesItsExample(PartRefusal rule, String sentence) {
        var judge = judge(List.of("Sell the saffron loaf. The code words are marble, drawer, carpet and amber."));
        judge.reasoned("The velvet is what it is. So it would be good to look around.");
        assertThat(judge.judge(saying(sentence))).isEqualTo(rule);
    }

    @Test
    void showsWordsAndDigitsOfTheUsers() {
        var judge = new PartJudge(
                SummaryLanguage.EN, "Ask Quillmere for 20 saffron loaves", List.of("Sell the saffron loaf."));
        assertThat(judge.judge(saying("I'm thinking of the 20 saffron loaves for Quillmere.")))
                .isNull();
        assertThat(judge.judge(saying("I'm thinking of a loaf."))).isEqualTo(PartRefusal.GUARDED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Answer: marble.", "Result: it is marble.", "The total is twenty.", "Sum: 20 + 0 = 20."})
    void showsNothingMoreBehindTheWordAnswer(String sentence) {
        var judge = judge(List.of("The code word is marble. The limit is 20."));
        assertThat(judge.judge(new SummaryPart("Giving the answer", sentence))).isNotNull();
    }

    @Test
    void guardsTheEndOfAMillionCharacters() {
        var end = "it would be good to look around. ";
        var text = "bread is here. ".repeat((GuardedText.LENGTH_MAX - end.length()) / 15) + end;
        var judge = judge(List.of(text));
        assertThat(judge.judge(saying("It would be good to look around."))).isEqualTo(PartRefusal.GUARDED);
        assertThat(judge.judge(saying("I think about it."))).isNull();
    }

    @Test
    void showsNothingWhenThereIsTooMuchToGuard() {
        var judge = judge(List.of("bread ".repeat(GuardedText.LENGTH_MAX / 6 + 1)));
        assertThat(judge.judge(PART)).isNotNull();
    }

    /// A name is no common word, and a list says so for every language that has one.
    @ParameterizedTest
    @ValueSource(strings = {"john", "johnson", "obama", "schmidt", "madrid", "twenty", "zwanzig", "vingt", "veinte"})
    void noListHasNamesOrNumbers(String word) {
        for (var language : SummaryLanguage.values()) {
            if (PartJudge.reads(language)) {
                assertThat(WordLists.of(language).hold(word)).as(language.tag()).isFalse();
            }
        }
    }

    private static PartJudge judge(List<String> confidential) {
        return new PartJudge(SummaryLanguage.EN, "Which bread?", confidential);
    }

    private static SummaryPart saying(String sentence) {
        return new SummaryPart("Looking", sentence);
    }
}
