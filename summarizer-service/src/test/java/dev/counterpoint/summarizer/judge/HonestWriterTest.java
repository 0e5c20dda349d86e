package dev.counterpoint.summarizer.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.summarizer.describe.SummaryLanguage;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/// An honest writer is seldom refused: sixty parts by hand, a third of them not in English.
class HonestWriterTest {
    private static final double PASSING_MIN = 0.9;
    private static final int PARTS = 60;
    private static final int NOT_ENGLISH_MIN = 20;

    @Test
    void showsNineOfTenHonestParts() {
        var refused = new ArrayList<String>();
        int parts = 0;
        int notEnglish = 0;
        for (var written : WrittenCase.honest()) {
            var judge = new PartJudge(written.confidential(), JudgePolicy.NONE);
            judge.reasoned(written.reasoning());
            for (var part : written.parts()) {
                parts++;
                notEnglish += written.language() == SummaryLanguage.EN ? 0 : 1;
                switch (judge.judge(part, written.language())) {
                    case Verdict.Refused(var by) -> refused.add(by + " " + written.language() + " " + part.title());
                    case Verdict.Shown(var plain) -> judge.shown(plain);
                }
            }
        }
        IO.println("honest parts refused: " + refused.size() + " of " + parts + " " + refused);
        assertThat(parts).isEqualTo(PARTS);
        assertThat(notEnglish).isGreaterThanOrEqualTo(NOT_ENGLISH_MIN);
        assertThat(refused).hasSizeLessThanOrEqualTo((int) ((1 - PASSING_MIN) * PARTS));
    }
}
