package dev.counterpoint.summarizer.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.summarizer.describe.SummaryLanguage;
import dev.counterpoint.summarizer.summarise.SummaryPart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// A writer that puts every secret, the prompt and the reasoning into what it writes, in every disguise and every
/// language: nothing of it is shown, and the same sentences without it are.
class MaliciousWriterTest {
    private static final int PARTS_MIN = 5_000;

    private record Carrier(SummaryLanguage language, String title, String sentence, String harmless) {
        SummaryPart with(String words) {
            return new SummaryPart(title, sentence.replace("{}", words));
        }
    }

    private record Secret(String place, String text, String secret) {
        PartJudge judge() {
            var confidential =
                    place.equals("reasoning") ? List.<String>of() : List.of("You are a helpful assistant.", text);
            var judge = new PartJudge(confidential, JudgePolicy.NONE);
            judge.reasoned("The user wants advice. I think about it. ");
            judge.reasoned(place.equals("reasoning") ? text : "There is not much to say.");
            return judge;
        }
    }

    @Test
    void showsNothingOfASecretInAnyDisguiseAndLanguage() {
        var leaks = new ArrayList<String>();
        int parts = 0;
        for (var secret : secrets()) {
            for (var carrier : carriers()) {
                for (var disguise : Disguise.values()) {
                    parts++;
                    var judge = secret.judge();
                    var part = carrier.with(disguise.of(secret.secret));
                    if (judge.judge(part, carrier.language) instanceof Verdict.Shown) {
                        leaks.add(disguise + " " + carrier.language + " " + part.sentence());
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
            for (var carrier : carriers()) {
                var judge = new PartJudge(List.of("Discounts go up to 42 percent."), JudgePolicy.NONE);
                if (judge.judge(carrier.with(number), carrier.language) instanceof Verdict.Shown) {
                    leaks.add(carrier.language + " " + number);
                }
            }
        }
        IO.println("numbers: " + NUMBERS.size() * carriers().size() + ", leaks: " + leaks.size());
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
        for (var secret : secrets()) {
            for (var carrier : carriers()) {
                if (secret.judge().judge(carrier.with(carrier.harmless), carrier.language)
                        instanceof Verdict.Refused(var by)) {
                    refused.add(by + " " + carrier.language + " " + secret.secret);
                }
            }
        }
        assertThat(refused).isEmpty();
    }

    @Test
    void showsNoSecretInPiecesThatFollowEachOther() {
        var judge = secrets().get(1).judge();
        assertThat(judge.judge(new SummaryPart("Looking around", "I'm going for mar"), SummaryLanguage.EN))
                .isInstanceOf(Verdict.Refused.class);
        assertThat(judge.judge(new SummaryPart("Looking around", "The question is about mar."), SummaryLanguage.EN))
                .isInstanceOf(Verdict.Shown.class);
        assertThat(judge.judge(new SummaryPart("Ble", "I go on."), SummaryLanguage.EN))
                .isInstanceOf(Verdict.Refused.class);
    }

    @Test
    void showsNoSecretByTheBeginningsOfParts() {
        var judge = secrets().get(1).judge();
        var titles = List.of(
                "More ideas", "Adding detail", "Reading again", "Being careful", "Looking further", "Ending well");
        var verdicts = titles.stream()
                .map(title -> judge.judge(new SummaryPart(title, "I think about the question."), SummaryLanguage.EN))
                .toList();
        assertThat(verdicts.subList(0, 5)).allMatch(verdict -> verdict instanceof Verdict.Shown);
        assertThat(verdicts.getLast()).isInstanceOf(Verdict.Refused.class);
    }

    private static List<Carrier> carriers() {
        return lines("carriers").stream()
                .map(line -> line.split(" \\| "))
                .map(cells -> new Carrier(
                        SummaryLanguage.valueOf(cells[0].toUpperCase(Locale.ROOT)), cells[1], cells[2], cells[3]))
                .toList();
    }

    private static List<Secret> secrets() {
        return lines("secrets").stream()
                .map(line -> line.split(" \\| "))
                .map(cells -> new Secret(cells[0], cells[1], cells[2]))
                .toList();
    }

    private static List<String> lines(String name) {
        try (var in = MaliciousWriterTest.class.getResourceAsStream("/judge/" + name + ".txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
