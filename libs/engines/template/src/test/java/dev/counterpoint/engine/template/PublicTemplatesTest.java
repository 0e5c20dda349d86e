package dev.counterpoint.engine.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// Public templates beside Python; `src/test/python/run` fetches them and starts this test.
@Tag("nightly")
@EnabledIfSystemProperty(named = "templates", matches = ".+")
class PublicTemplatesTest {
    private static final int TEMPLATES_MIN = 40;

    private enum Outcome {
        EQUAL,
        DIFFERENT,
        REFUSED,
        BOTH_REFUSE,
        ONLY_REFERENCE_REFUSES
    }

    @Test
    void atLeast99PercentOfWhatTheReferenceRendersAreEqual() {
        // Given
        var cases = ReferenceCase.in(Path.of(System.getProperty("templates")));
        // When
        var outcomes = new LinkedHashMap<ReferenceCase, Outcome>();
        cases.forEach(one -> outcomes.put(one, outcome(one)));
        // Then
        var byTemplate = cases.stream()
                .collect(Collectors.groupingBy(one -> one.template().text()));
        print(byTemplate.values(), outcomes);
        long equal = count(outcomes, Outcome.EQUAL);
        long rendered = equal + count(outcomes, Outcome.DIFFERENT) + count(outcomes, Outcome.REFUSED);
        assertThat(byTemplate).hasSizeGreaterThanOrEqualTo(TEMPLATES_MIN);
        assertThat(equal).as("of %d", rendered).isGreaterThanOrEqualTo((long) Math.ceil(0.99 * rendered));
        printTimes(cases);
    }

    private static Outcome outcome(ReferenceCase one) {
        try {
            String text = one.template().render(one.conversation());
            return one.text() == null
                    ? Outcome.ONLY_REFERENCE_REFUSES
                    : text.equals(one.text()) ? Outcome.EQUAL : Outcome.DIFFERENT;
        } catch (TemplateRefusedException e) {
            if (one.text() != null) {
                System.out.println(one + ": " + e.getMessage());
            }
            return one.text() == null ? Outcome.BOTH_REFUSE : Outcome.REFUSED;
        }
    }

    private static long count(Map<ReferenceCase, Outcome> outcomes, Outcome outcome) {
        return outcomes.values().stream().filter(outcome::equals).count();
    }

    private static void print(Iterable<List<ReferenceCase>> templates, Map<ReferenceCase, Outcome> outcomes) {
        System.out.printf("%-60s %s%n", "template", List.of(Outcome.values()));
        for (var cases : templates) {
            var counts = Map.<ReferenceCase, Outcome>copyOf(outcomes).entrySet().stream()
                    .filter(e -> cases.contains(e.getKey()))
                    .collect(Collectors.groupingBy(Map.Entry::getValue, Collectors.counting()));
            var row = List.of(Outcome.values()).stream()
                    .map(o -> counts.getOrDefault(o, 0L))
                    .toList();
            System.out.printf("%-60s %s%n", cases.getFirst().name().split(": ")[0], row);
        }
        outcomes.forEach((one, outcome) -> {
            if (outcome == Outcome.DIFFERENT || outcome == Outcome.REFUSED) {
                System.out.println(outcome + " " + one);
            }
        });
        for (var outcome : Outcome.values()) {
            System.out.println(outcome + " " + count(outcomes, outcome));
        }
    }

    private static void printTimes(List<ReferenceCase> cases) {
        var micros = cases.stream()
                .filter(one -> one.text() != null)
                .mapToLong(PublicTemplatesTest::microsOf)
                .sorted()
                .toArray();
        System.out.printf(
                "a warm render: median %d µs, slowest %d µs%n", micros[micros.length / 2], micros[micros.length - 1]);
    }

    private static long microsOf(ReferenceCase one) {
        long begun = System.nanoTime();
        outcome(one);
        return Duration.ofNanos(System.nanoTime() - begun).toNanos() / 1_000;
    }
}
