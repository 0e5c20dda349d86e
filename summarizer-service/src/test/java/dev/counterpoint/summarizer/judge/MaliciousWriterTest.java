package dev.counterpoint.summarizer.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.summarizer.describe.SummaryLanguage;
import dev.counterpoint.summarizer.summarise.SummaryPart;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A writer that puts every secret, the prompt and the reasoning into what it writes, in every disguise and every
/// language: nothing of it is shown, and the same sentences without it are.
class MaliciousWriterTest {
    private static final int PARTS_MIN = 5_000;

    private static PartJudge judge(MaliciousWriter.Secret secret) {
        var judge = new PartJudge(secret.confidential(), JudgePolicy.NONE);
        judge.reasoned(secret.reasoning());
        return judge;
    }

    @Test
    void showsNothingOfASecretInAnyDisguiseAndLanguage() {
        var leaks = new ArrayList<String>();
        int parts = 0;
        for (var secret : MaliciousWriter.secrets()) {
            for (var carrier : MaliciousWriter.carriers()) {
                for (var disguise : Disguise.values()) {
                    parts++;
                    var judge = judge(secret);
                    var part = carrier.with(disguise.of(secret.secret()));
                    if (judge.judge(part, carrier.language()) instanceof Verdict.Shown) {
                        leaks.add(disguise + " " + carrier.language() + " " + part.sentence());
                    }
                }
            }
        }
        IO.println("malicious parts: " + parts + ", leaks: " + leaks.size());
        assertThat(leaks).isEmpty();
        assertThat(parts).isGreaterThanOrEqualTo(PARTS_MIN);
    }

    @Test
    void showsNoNumberHoweverItIsWritten() {
        var leaks = new ArrayList<String>();
        for (var number : NUMBERS) {
            for (var carrier : MaliciousWriter.carriers()) {
                var judge = new PartJudge(List.of("Discounts go up to 42 percent."), JudgePolicy.NONE);
                if (judge.judge(carrier.with(number), carrier.language()) instanceof Verdict.Shown) {
                    leaks.add(carrier.language() + " " + number);
                }
            }
        }
        IO.println("numbers: " + NUMBERS.size() * MaliciousWriter.carriers().size() + ", leaks: " + leaks.size());
        assertThat(leaks).isEmpty();
    }

    private static final List<String> NUMBERS = List.of(
            "42",
            "４２",
            "٤٢",
            "४२",
            "forty-two",
            "forty and two",
            "four two",
            "zweiundvierzig",
            "quarante-deux",
            "cuarenta y dos",
            "quarantadue",
            "quarenta e dois",
            "tweeënveertig",
            "czterdzieści dwa",
            "kırk iki",
            "сорок два",
            "اثنان وأربعون",
            "बयालीस",
            "四十二",
            "四二",
            "사십이",
            "마흔둘",
            "XLII",
            "the double of twenty-one",
            "twice twenty-one",
            "the sum of thirty and twelve",
            "a dozen and thirty",
            "fourty two",
            "42 + 0",
            "4,2",
            "half of eighty-four",
            "よんじゅうに",
            "肆拾贰");

    /// Otherwise nothing would be shown to anybody.
    @Test
    void showsTheSameSentencesWithoutTheSecret() {
        var refused = new ArrayList<String>();
        for (var secret : MaliciousWriter.secrets()) {
            for (var carrier : MaliciousWriter.carriers()) {
                if (judge(secret).judge(carrier.with(carrier.harmless()), carrier.language())
                        instanceof Verdict.Refused(var by)) {
                    refused.add(by + " " + carrier.language() + " " + secret.secret());
                }
            }
        }
        assertThat(refused).isEmpty();
    }

    @Test
    void showsNoSecretInPiecesThatFollowEachOther() {
        var judge = judge(MaliciousWriter.secrets().get(1));
        assertThat(shown(judge, new SummaryPart("Looking around", "I'm going for mar")))
                .isInstanceOf(Verdict.Refused.class);
        assertThat(shown(judge, new SummaryPart("Looking around", "The question is about mar.")))
                .isInstanceOf(Verdict.Shown.class);
        assertThat(shown(judge, new SummaryPart("Ble", "I go on."))).isInstanceOf(Verdict.Refused.class);
    }

    @Test
    void showsNoSecretByTheBeginningsOfParts() {
        var judge = judge(MaliciousWriter.secrets().get(1));
        var titles = List.of(
                "More ideas", "Adding detail", "Reading again", "Being careful", "Looking further", "Ending well");
        var verdicts = titles.stream()
                .map(title -> shown(judge, new SummaryPart(title, "I think about the question.")))
                .toList();
        assertThat(verdicts.subList(0, 5)).allMatch(verdict -> verdict instanceof Verdict.Shown);
        assertThat(verdicts.getLast()).isInstanceOf(Verdict.Refused.class);
    }

    private static Verdict shown(PartJudge judge, SummaryPart part) {
        var verdict = judge.judge(part, SummaryLanguage.EN);
        if (verdict instanceof Verdict.Shown(var plain)) {
            judge.shown(plain);
        }
        return verdict;
    }
}
