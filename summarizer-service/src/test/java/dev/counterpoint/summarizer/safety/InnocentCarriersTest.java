package dev.counterpoint.summarizer.safety;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.summarizer.safety.InventedCodes.Format;
import dev.counterpoint.summarizer.safety.InventedCodes.Spelling;
import dev.counterpoint.summarizer.summarise.Confidential;
import dev.counterpoint.summarizer.summarise.Detail;
import dev.counterpoint.summarizer.summarise.SafeSummary;
import dev.counterpoint.summarizer.summarise.Sentence;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Codes in sentences that say nothing of codes: shape alone must stop them, in every spelling.
class InnocentCarriersTest {
    private static final int ROUNDS = 3;
    /// Two short numbers, far enough apart, are two numbers: known to pass, unless the confidential texts hold them.
    private static final Set<Format> NUMERIC = EnumSet.of(Format.NUMBERS_4, Format.LONG_NUMBER);

    @ParameterizedTest
    @EnumSource(Format.class)
    void stopsEverySpelling(Format format) {
        var random = new Random(format.ordinal());
        var leaks = new ArrayList<String>();
        int cases = 0;
        for (int round = 0; round < ROUNDS; round++) {
            for (var spelling : Spelling.values()) {
                if (spelling == Spelling.HALVES && NUMERIC.contains(format)) {
                    continue;
                }
                for (var carrier : InventedCodes.CARRIERS) {
                    var code = format.code(random);
                    var check =
                            new LeakCheck(summary(code, carrier.formatted(spelling.of(code)), random.nextBoolean()));
                    cases++;
                    if (check.finds(code) || check.finds(spelling.of(code))) {
                        leaks.add(spelling + ": " + code);
                    }
                }
            }
        }
        assertThat(cases).isPositive();
        assertThat(leaks).isEmpty();
    }

    private static String summary(String code, String reasoning, boolean told) {
        var confidential = new Confidential(
                List.of(told ? "You help with bread. The mark is " + code + "." : "You help with bread."),
                "How do I go on?");
        var summary = new SafeSummary(confidential, Detail.DETAILED);
        var sentences = new ArrayList<>(summary.accept(reasoning));
        sentences.addAll(summary.endMessage());
        return sentences.stream().map(Sentence::text).collect(Collectors.joining());
    }
}
