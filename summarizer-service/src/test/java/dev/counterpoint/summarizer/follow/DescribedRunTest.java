package dev.counterpoint.summarizer.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.bus.testkit.TestKeys;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Described summaries out of logs: one summary, whoever makes it and however often its maker dies.
class DescribedRunTest extends PlayedLog {
    private static final List<String> THOUGHTS = List.of(
            "The user asks how much bread two people need for a week. ",
            "First I calculate: two people times three slices times seven days. ",
            "Multiply 2 by 3 by 7 to get 42 slices. ",
            "Let me compare that with the size of a loaf of twenty slices. ",
            "Let me double-check the result by counting again. ",
            "I should write the answer in two short sentences. ");

    DescribedRunTest() {
        super(DescribedSentences::new);
    }

    @Test
    void tellsTheFirstCompleteThoughtAtOnce() {
        // Given
        var holder = accepted().fence(1, 0xA).thinks(0, "The user asks how much bread");
        var reader = new Reader().follow();
        assertThat(told()).isEmpty();
        // When
        holder.on(0, " two people need. So");
        reader.follow();
        // Then
        assertThat(told()).singleElement().asString().matches("(?s)0¶\\*\\*[^*]+\\*\\*\n\n.+");
    }

    @Test
    void speaksInTheFormatThatFrameZeroNames() {
        // Given
        log.format = 2;
        accepted().fence(1, 0xA).thinks(0, "The user asks how much bread two people need. So");
        // When
        new Reader().follow();
        // Then
        assertThat(told()).hasSize(1);
        assertThat(frames.getLast().kind()).isEqualTo(FrameKind.SUMMARY);
        assertThat(frames.getLast().format()).isEqualTo(2);
    }

    @Test
    void everyMessageOfReasoningHasAPart() {
        // Given
        var holder = accepted().fence(1, 0xA);
        holder.thinks(0, THOUGHTS.getFirst()).close(0).callsHidden(1, "Query.").close(1);
        holder.thinks(2, "So").close(2).answers(3, "Hello.").end();
        // When
        var reader = new Reader().follow();
        // Then
        assertThat(told()).extracting(said -> said.substring(0, 2)).containsExactly("0¶", "0.", "1.", "2¶", "2.");
        assertThat(reader.run.done()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void anyNumberOfSummarizersThatSpeakAtOnceAndLoseFramesSayTheSame(long seed) {
        // Given
        writeLongReasoning();
        var whole = List.copyOf(frames);
        new Reader().follow();
        var expected = told();
        assertThat(expected).hasSizeGreaterThan(4);
        frames.clear();
        frames.addAll(whole.subList(0, 1));
        // When
        var readers = playAtRandom(whole, new Random(seed));
        // Then
        assertThat(told()).isEqualTo(expected);
        assertThat(readers).allMatch(reader -> reader.failures.isEmpty());
    }

    @Test
    void noPartRepeatsTheOneBeforeAndNoneQuotesTheReasoning() {
        // Given
        writeLongReasoning();
        // When
        new Reader().follow();
        // Then
        var parts = told().stream().filter(said -> said.charAt(1) == '¶').toList();
        for (int i = 1; i < parts.size(); i++) {
            assertThat(parts.get(i).substring(2)).isNotEqualTo(parts.get(i - 1).substring(2));
        }
        assertThat(parts).noneMatch(part -> part.contains("slices") || part.contains("loaf"));
    }

    private ResponseLogWriter accepted() {
        var job = new SummaryJob(SummaryJob.Detail.AUTO, List.of("Be brief."), "How much bread do we need?");
        return log.accepted(TestKeys.of(ServiceRole.WORKER)
                .sealFor(
                        ServiceRole.SUMMARIZER,
                        job.encode(),
                        Accepted.summaryContext(ResponseLogWriter.TENANT, log.id)));
    }

    private void writeLongReasoning() {
        var anna = accepted().fence(1, 0xA);
        anna.thinks(0, THOUGHTS.get(0));
        for (int i = 1; i < 20; i++) {
            anna.on(0, THOUGHTS.get(i % THOUGHTS.size()));
        }
        anna.close(0).thinks(1, THOUGHTS.get(1));
        log.reissue(2);
        var bert = log.fence(2, 0xB);
        anna.on(1, "VOID");
        for (int i = 2; i < 9; i++) {
            bert.on(1, THOUGHTS.get(i % THOUGHTS.size()));
        }
        bert.close(1).answers(2, "42 slices.").end();
    }
}
