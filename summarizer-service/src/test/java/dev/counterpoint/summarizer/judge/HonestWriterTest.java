package dev.counterpoint.summarizer.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.summarizer.describe.SummaryLanguage;
import java.util.ArrayList;
import java.util.EnumMap;
import org.junit.jupiter.api.Test;

/// The judge seldom refuses an honest writer: sixty parts by hand, 45 of them in a language with a list of words.
class HonestWriterTest {
    private static final double PASSING_MIN = 0.8;
    private static final int PARTS = 60;
    private static final int JUDGED = 45;

    @Test
    void showsFourOfFiveHonestParts() {
        var refused = new ArrayList<String>();
        var judged = new EnumMap<SummaryLanguage, Integer>(SummaryLanguage.class);
        int parts = 0;
        int english = 0;
        for (var written : WrittenCase.honest()) {
            parts += written.parts().size();
            if (!PartJudge.reads(written.language())) {
                continue;
            }
            judged.merge(written.language(), written.parts().size(), Integer::sum);
            var judge = new PartJudge(written.language(), written.user(), written.confidential());
            judge.reasoned(written.reasoning());
            for (var part : written.parts()) {
                var refusal = judge.judge(part);
                if (refusal == null) {
                    judge.shown(part);
                } else {
                    refused.add(refusal + " " + written.language() + " " + part.title());
                    english += written.language() == SummaryLanguage.EN ? 1 : 0;
                }
            }
        }
        int all = judged.values().stream().mapToInt(Integer::intValue).sum();
        IO.println("honest parts: " + judged + ", refused: " + refused.size() + " " + refused);
        assertThat(parts).isEqualTo(PARTS);
        assertThat(all).isEqualTo(JUDGED);
        assertThat(refused).hasSizeLessThanOrEqualTo((int) ((1 - PASSING_MIN) * all));
        assertThat(english / (double) judged.getOrDefault(SummaryLanguage.EN, 0))
                .isLessThanOrEqualTo(1 - PASSING_MIN);
    }
}
