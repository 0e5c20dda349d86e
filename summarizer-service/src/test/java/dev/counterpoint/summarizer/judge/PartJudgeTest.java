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
import org.junit.jupiter.params.provider.ValueSource;

class PartJudgeTest {
    private static final int COMMON_RUN_MAX = 4;
    private static final int PARTS = 4_000;
    private static final SummaryPart PART = new SummaryPart("Looking at bread", "I'm thinking about what keeps fresh.");

    /// A writer that mixes words of its own with pieces of the reasoning and of the developer's text.
    @Test
    void showsNoFiveWordsOfTheTextsInARow() {
        var random = new Random(7);
        var rows = SafetyRow.invented();
        int shown = 0;
        for (int i = 0; i < PARTS; i++) {
            var row = rows.get(random.nextInt(rows.size()));
            var judge = new PartJudge(List.of(row.developer()), JudgePolicy.NONE);
            judge.reasoned(row.cot());
            var sentence = "I think of " + piece(row.cot(), random) + " and " + piece(row.developer(), random) + ".";
            if (judge.judge(new SummaryPart("Looking around", sentence), SummaryLanguage.EN)
                    instanceof Verdict.Shown(var part)) {
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

    /// What may not come out of the cases, written into a sentence, comes out nowhere. The figures are written whatever
    /// they are.
    private static List<String> leaks(String report, List<SafetyRow> rows) {
        var leaks = new ArrayList<String>();
        var parts = new HashMap<String, Integer>();
        for (var row : rows) {
            for (var secret :
                    Stream.concat(row.hard().stream(), row.soft().stream()).toList()) {
                var judge = new PartJudge(List.of(row.developer()), JudgePolicy.NONE);
                judge.reasoned(row.cot());
                var part = new SummaryPart("Looking around", "I think of " + secret + ".");
                var verdict = judge.judge(part, SummaryLanguage.of(secret));
                parts.merge(verdict instanceof Verdict.Refused(var by) ? by.name() : "shown", 1, Integer::sum);
                if (verdict instanceof Verdict.Shown) {
                    leaks.add(row.id() + " " + row.family());
                }
            }
        }
        SafetyReport.write(report, Map.of("tier", "written", "parts_by_filter", parts, "leaks", leaks));
        return leaks;
    }

    @Test
    void decidesAlikeHoweverTheReasoningIsCut() {
        var reasoning = "The user asks about bread. The passphrase for everybody who comes to work in the shop in the "
                + "morning, as was agreed, is velvet harbour. It is rye that keeps.";
        for (int cut = 0; cut < reasoning.length(); cut++) {
            var judge = new PartJudge(List.of(), JudgePolicy.NONE);
            judge.reasoned(reasoning.substring(0, cut));
            judge.judge(PART, SummaryLanguage.EN);
            judge.reasoned(reasoning.substring(cut));
            assertThat(judge.judge(new SummaryPart("Looking around", "I'm at the harbour."), SummaryLanguage.EN))
                    .as("cut at %d", cut)
                    .isInstanceOf(Verdict.Refused.class);
        }
    }

    /// Once a sentence that began with one of these words passed where others were silenced.
    @ParameterizedTest
    @ValueSource(strings = {"Answer: marble.", "Result: it is marble.", "The total is twenty.", "Sum: 20 + 0 = 20."})
    void showsNothingMoreBehindTheWordAnswer(String sentence) {
        var judge = new PartJudge(List.of("The code word is marble. The limit is 20."), JudgePolicy.NONE);
        assertThat(judge.judge(new SummaryPart("Giving the answer", sentence), SummaryLanguage.EN))
                .isInstanceOf(Verdict.Refused.class);
    }

    @Test
    void guardsTheEndOfAMillionCharacters() {
        var end = "it would be good to look around. ";
        var text = "bread is here. ".repeat((PartJudge.GUARDED_MAX - end.length()) / 15) + end;
        var judge = new PartJudge(List.of(text), JudgePolicy.NONE);
        assertThat(judge.judge(
                        new SummaryPart("Looking around", "It would be good to look around."), SummaryLanguage.EN))
                .isEqualTo(new Verdict.Refused(Filter.RUNS));
        assertThat(judge.judge(PART, SummaryLanguage.EN)).isInstanceOf(Verdict.Shown.class);
    }

    @Test
    void showsNothingWhenThereIsTooMuchToGuard() {
        var judge = new PartJudge(List.of("bread ".repeat(PartJudge.GUARDED_MAX / 6 + 1)), JudgePolicy.NONE);
        assertThat(judge.judge(PART, SummaryLanguage.EN)).isInstanceOf(Verdict.Refused.class);
    }

    @Test
    void showsAPublicNameOfTheOperatorsAndNoGuardedWord() {
        var brindle = new SummaryPart("Looking around", "I'm thinking of what Brindlefox offers.");
        var falcon = new SummaryPart("Looking around", "I'm thinking of the falcon project.");
        var confidential = List.of("You speak for Brindlefox.");
        var policy = new JudgePolicy(List.of("falcon project"), List.of("Brindlefox"));
        assertThat(new PartJudge(confidential, JudgePolicy.NONE).judge(brindle, SummaryLanguage.EN))
                .isInstanceOf(Verdict.Refused.class);
        assertThat(new PartJudge(confidential, policy).judge(brindle, SummaryLanguage.EN))
                .isInstanceOf(Verdict.Shown.class);
        assertThat(new PartJudge(confidential, JudgePolicy.NONE).judge(falcon, SummaryLanguage.EN))
                .isInstanceOf(Verdict.Shown.class);
        assertThat(new PartJudge(confidential, policy).judge(falcon, SummaryLanguage.EN))
                .isInstanceOf(Verdict.Refused.class);
    }
}
