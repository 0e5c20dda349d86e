package dev.counterpoint.summarizer.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.summarizer.SummarizerConfig;
import dev.counterpoint.summarizer.describe.Activity;
import dev.counterpoint.summarizer.describe.Subject;
import dev.counterpoint.testkit.TestConfig;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Summaries whose descriptions a model chose: what the log holds counts, and no part repeats the one before.
class DecidedRunTest extends PlayedDrafts {
    private static final String COMPARING = choice(Activity.COMPARING, Subject.GENERAL);

    DecidedRunTest() {
        super(new SummaryTexts(
                TestConfig.of(SummarizerConfig.class, Map.of("summarizer.described.part-timeout", "8s"))));
    }

    private static String choice(Activity activity, Subject subject) {
        return "{\"activity\":\"%s\",\"subject\":\"%s\",\"phrase\":\"none\"}".formatted(word(activity), word(subject));
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private ResponseLogWriter accepted() {
        var job = new SummaryJob(SummaryJob.Detail.DETAILED, List.of("Be brief."), "Which bread is best for me?");
        return log.accepted(TestKeys.of(ServiceRole.WORKER)
                .sealFor(
                        ServiceRole.SUMMARIZER,
                        job.encode(),
                        Accepted.summaryContext(ResponseLogWriter.TENANT, log.id)));
    }

    @Test
    void whatAModelChoseStandsInTheLogAndEveryReaderTakesIt() {
        // Given
        var holder = accepted().fence(1, 0xA).thinks(0, "Let me compare rye and wheat bread first.\n");
        var reader = new Reader().follow();
        assertThat(told()).isEmpty();
        // When
        reader.run.drafted(Objects.requireNonNull(reader.run.draft(0, true)).number(), COMPARING);
        reader.append();
        holder.close(0).answers(1, "Rye.").end();
        reader.follow();
        var successor = new Reader().readAll();
        // Then
        assertThat(ToldSummary.tiersOf(frames)).contains(SummaryTier.DECIDED);
        assertThat(told()).first().asString().contains("Comparing");
        assertThat(successor.failures).isEmpty();
        assertThat(successor.run.done()).isTrue();
    }

    /// Where only some replicas ask models, as while they are replaced, the others take what these wrote.
    @Test
    void aSummarizerThatAsksNoModelTakesWhatAnotherAskedFor() {
        // Given
        var holder = accepted().fence(1, 0xA).thinks(0, "Let me compare rye and wheat bread first.\n");
        var reader = new Reader().follow();
        reader.run.drafted(Objects.requireNonNull(reader.run.draft(0, true)).number(), COMPARING);
        reader.append();
        holder.close(0).answers(1, "Rye.").end();
        // When
        var plain = new PlayedLog(new SummaryTexts(
                TestConfig.of(SummarizerConfig.class, Map.of("summarizer.described.by-model", "false"))));
        plain.frames.addAll(frames);
        var other = plain.new Reader().follow();
        // Then
        assertThat(other.failures).isEmpty();
        assertThat(other.run.done()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void nothingIsMissingOrRepeatedHoweverAnswersComeAndSummarizersFail(long seed) {
        // Given
        writeLongReasoning();
        var whole = List.copyOf(frames);
        int parts = described(whole).size();
        frames.clear();
        frames.addAll(whole.subList(0, 1));
        var random = new Random(seed);
        // When
        var play = new Play(whole, random, _ -> {
            var activities = Activity.values();
            return choice(activities[random.nextInt(activities.length)], Subject.values()[random.nextInt(3)]);
        });
        play.run();
        // Then
        var told = told();
        assertThat(told).hasSize(parts);
        for (int i = 1; i < told.size(); i++) {
            assertThat(told.get(i)).isNotEqualTo(told.get(i - 1));
        }
        assertThat(play.readers).allMatch(reader -> reader.failures.isEmpty());
        assertThat(play.failures).isEmpty();
    }

    private void writeLongReasoning() {
        var anna = accepted().fence(1, 0xA);
        anna.thinks(0, "The user asks which bread is best. I compare rye and wheat.\n")
                .on(0, "Let me recall how much fibre each of them has, then calculate: 12 times 3 is 36.\n")
                .on(0, "Wait, that is wrong, I made a mistake. Let me double-check this step.\n")
                .on(0, "Alternatively, another option is spelt; the trade-off is price against taste.\n");
        anna.close(0).callsHidden(1, "Query.\n").close(1).thinks(2, "Plan the answer: first this, then that.\n");
        log.reissue(2);
        var bert = log.fence(2, 0xB);
        anna.on(2, "VOID\n");
        bert.on(2, "I draft a short answer. The user wants a clear recommendation.\n")
                .on(2, "Structure it with bullet points and headings.\n")
                .on(2, "Finally I decide to recommend rye.\n")
                .close(2);
        bert.answers(3, "Hello.").thinks(4, "Check for edge cases once more.\n").end();
    }
}
