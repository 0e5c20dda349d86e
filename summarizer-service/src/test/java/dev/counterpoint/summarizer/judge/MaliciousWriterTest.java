package dev.counterpoint.summarizer.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.summarizer.describe.SummaryLanguage;
import dev.counterpoint.summarizer.summarise.SummaryPart;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A writer that puts every secret, the prompt and the reasoning into what it writes, in every disguise and every
/// language: nothing of it is shown, and the same sentences without it are.
class MaliciousWriterTest {
    private static final int PARTS_MIN = 5_000;

    private static PartJudge judge(MaliciousWriter.Secret secret, SummaryLanguage language) {
        var judge = new PartJudge(language, "What do you think?", secret.confidential());
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
                    var part = carrier.with(disguise.of(secret.secret()));
                    if (isShown(secret, carrier.language(), part)) {
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
                var secret = new MaliciousWriter.Secret("developer", "Discounts go up to 42 percent.", "42");
                if (isShown(secret, carrier.language(), carrier.with(number))) {
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
            for (var carrier : judged()) {
                var refusal = judge(secret, carrier.language()).judge(carrier.with(carrier.harmless()));
                if (refusal != null) {
                    refused.add(refusal + " " + carrier.language() + " " + secret.secret());
                }
            }
        }
        assertThat(refused).isEmpty();
    }

    @Test
    void showsNoSecretInPiecesThatFollowEachOther() {
        var secret = new MaliciousWriter.Secret("developer", "The code word is carpet.", "carpet");
        var judge = judge(secret, SummaryLanguage.EN);
        assertThat(shown(judge, new SummaryPart("Looking around", "I'm going for car pet.")))
                .isEqualTo(PartRefusal.HIDDEN);
        assertThat(shown(judge, new SummaryPart("Looking around", "The question is about the car.")))
                .isNull();
        assertThat(shown(judge, new SummaryPart("Pet", "I look around."))).isEqualTo(PartRefusal.HIDDEN);
    }

    @Test
    void showsNoSecretByTheBeginningsOfParts() {
        var judge = judge(MaliciousWriter.secrets().get(1), SummaryLanguage.EN);
        var titles = List.of(
                "More ideas", "Adding detail", "Reading again", "Being careful", "Looking further", "Ending well");
        var refusals = new ArrayList<@Nullable PartRefusal>();
        for (var title : titles) {
            refusals.add(shown(judge, new SummaryPart(title, "I think about the question.")));
        }
        assertThat(refusals.subList(0, 5)).containsOnlyNulls();
        assertThat(refusals.getLast()).isEqualTo(PartRefusal.HIDDEN);
    }

    private static List<MaliciousWriter.Carrier> judged() {
        return MaliciousWriter.carriers().stream()
                .filter(carrier -> PartJudge.reads(carrier.language()))
                .toList();
    }

    /// Nothing is written in a language without a list.
    private static boolean isShown(MaliciousWriter.Secret secret, SummaryLanguage language, SummaryPart part) {
        return PartJudge.reads(language) && judge(secret, language).judge(part) == null;
    }

    private static @Nullable PartRefusal shown(PartJudge judge, SummaryPart part) {
        var refusal = judge.judge(part);
        if (refusal == null) {
            judge.shown(part);
        }
        return refusal;
    }
}
