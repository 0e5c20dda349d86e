package dev.counterpoint.summarizer.describe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// How often a description is right, vague or wrong, by language: each thought of each text counts.
class DescriptionUsefulnessTest {
    private static final class Counts {
        int right;
        int vague;
        int wrong;
        int texts;
    }

    @Test
    void isMostlyRightSometimesVagueAndSeldomWrong() {
        var table = new TreeMap<String, Counts>();
        var all = new Counts();
        DescribedTexts.all().forEach(row -> {
            count(row, table.computeIfAbsent(row.language(), _ -> new Counts()));
            count(row, all);
        });
        table.put("~all", all);
        System.out.println("language texts | activity right vague wrong");
        table.forEach((language, c) ->
                System.out.printf("%-8s %5d | %14d %5d %5d%n", language, c.texts, c.right, c.vague, c.wrong));
        assertThat(all.texts).isGreaterThanOrEqualTo(60);
        assertThat(table).hasSizeGreaterThan(12);
        double thoughts = all.right + all.vague + all.wrong;
        assertThat(all.right / thoughts).isGreaterThan(0.75);
        assertThat(all.wrong / thoughts).isLessThan(0.15);
    }

    private static void count(DescribedTexts.Row row, Counts counts) {
        counts.texts++;
        var classifier = new CueClassifier(SummaryContext.of(row.user()));
        var thoughts = new ArrayList<>(classifier.accept(row.reasoning()));
        thoughts.addAll(classifier.finish());
        for (var thought : thoughts) {
            var said = thought.description();
            boolean right = row.activities().contains(said.activity());
            counts.right += right ? 1 : 0;
            counts.vague += !right && said.vague() ? 1 : 0;
            counts.wrong += !right && !said.vague() ? 1 : 0;
        }
    }
}
