package dev.counterpoint.summarizer.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.SummarySentence;
import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.summarizer.write.ModelDraft;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Written summaries out of logs: what the log holds counts, whoever wrote it, and nothing is missing or told
/// twice.
class WrittenRunTest extends PlayedDrafts {
    private static final String ALLOWED = "\"0\"";
    private static final List<String> VERBS = List.of("Comparing", "Checking", "Weighing", "Sorting", "Reading");
    private static final List<String> THINGS = List.of(
            "the choices",
            "the steps",
            "the plan",
            "the wording",
            "the order",
            "the details",
            "the example",
            "the sources");
    private static final List<String> WAYS = List.of("with care", "once more", "before I go on", "step by step");

    private final Set<String> writtenBy = new HashSet<>();
    private int written;

    WrittenRunTest() {
        super(new WrittenSummaries());
    }

    private ResponseLogWriter accepted(SummaryTier tier) {
        return accepted(log, tier);
    }

    private static ResponseLogWriter accepted(ResponseLogWriter log, SummaryTier tier) {
        var job = new SummaryJob(SummaryJob.Detail.AUTO, List.of("Be brief."), "How do we go on?", tier);
        return log.accepted(TestKeys.of(ServiceRole.WORKER)
                .sealFor(
                        ServiceRole.SUMMARIZER,
                        job.encode(),
                        Accepted.summaryContext(ResponseLogWriter.TENANT, log.id)));
    }

    /// Another part each time, as JSON.
    private String fresh() {
        int i = written++;
        var verb = VERBS.get(i % VERBS.size());
        var rest = THINGS.get(i / VERBS.size() % THINGS.size()) + " "
                + WAYS.get(i / VERBS.size() / THINGS.size() % WAYS.size());
        return "{\"title\":\"%s\",\"text\":\"I'm %s %s.\"}"
                .formatted(verb + " it", verb.toLowerCase(Locale.ROOT), rest);
    }

    private static ModelDraft asked(Reader reader, long now) {
        return Objects.requireNonNull(reader.run.draft(now, true));
    }

    @Test
    void aPartStandsInTheLogOnceAModelWroteItAndItIsJudged() {
        // Given
        accepted(SummaryTier.WRITTEN).fence(1, 0xA).thinks(0, "Let me think.\n");
        var reader = new Reader().follow();
        assertThat(told()).isEmpty();
        // When
        reader.run.drafted(asked(reader, 0).number(), fresh());
        reader.run.drafted(asked(reader, 0).number(), ALLOWED);
        reader.append();
        // Then
        assertThat(told()).containsExactly("0¶**Comparing it**\n\nI'm comparing the choices with care.");
        assertThat(tiers()).containsExactly(SummaryTier.WRITTEN);
    }

    @Test
    void isDescribedAtOnceWhenTheMessageIsOver() {
        // Given
        var holder = accepted(SummaryTier.WRITTEN).fence(1, 0xA).thinks(0, "Let me think.\n");
        var reader = new Reader().follow();
        asked(reader, 0);
        // When
        holder.close(0).answers(1, "Hello.").end();
        reader.follow();
        // Then
        assertThat(told()).containsExactly("0¶**Step**\n\nNumber 0.", "0.");
        assertThat(reader.run.done()).isTrue();
    }

    @Test
    void isDescribedWhereNobodyAskedForAModelsWords() {
        // Given
        accepted(SummaryTier.DESCRIBED).fence(1, 0xA).thinks(0, "Let me think.\n");
        // When
        var reader = new Reader().follow();
        // Then
        assertThat(told()).containsExactly("0¶**Step**\n\nNumber 0.");
        assertThat(reader.run.draft(0, true)).isNull();
    }

    /// A forger's, or a summarizer's that took another request for this one.
    @Test
    void noWrittenPartCountsWhereNobodyAskedForOne() {
        // Given
        var holder = accepted(SummaryTier.DESCRIBED).fence(1, 0xA).thinks(0, "Let me think.\n");
        holder.summary(0, FrameKind.SUMMARY, 0, new SummarySentence(true, "Words.", SummaryTier.WRITTEN).encode());
        // When
        var reader = new Reader().readAll();
        // Then
        assertThat(reader.failures).hasSize(1);
    }

    @Test
    void anotherDescribedPartThanItsOwnIsNoLessWrongWhereAModelWrites() {
        // Given
        var holder = accepted(SummaryTier.WRITTEN).fence(1, 0xA).thinks(0, "Let me think.\n");
        holder.summary(0, FrameKind.SUMMARY, 0, new SummarySentence(true, "Words.", SummaryTier.DESCRIBED).encode());
        // When
        var reader = new Reader().readAll();
        // Then
        assertThat(reader.failures).hasSize(1);
    }

    @Test
    void aSuccessorGoesOnAfterWhatTheLogHoldsAndAsksAnewForWhatIsMissing() {
        // Given
        accepted(SummaryTier.WRITTEN).fence(1, 0xA).thinks(0, "First of all.\n");
        var first = new Reader().follow();
        first.run.drafted(asked(first, 0).number(), fresh());
        first.run.drafted(asked(first, 0).number(), ALLOWED);
        first.append();
        var before = told();
        log.reissue(2);
        log.fence(2, 0xB).on(0, "And then.\n");
        first.readAll();
        asked(first, 0);
        // When
        var successor = new Reader().readAll();
        var draft = asked(successor, 0);
        successor.run.drafted(draft.number(), fresh());
        successor.run.drafted(asked(successor, 0).number(), ALLOWED);
        successor.append();
        // Then
        assertThat(draft.task().input()).contains("And then.").doesNotContain("First of all");
        assertThat(told()).hasSize(2).startsWith(before.getFirst());
        assertThat(tiers()).containsExactly(SummaryTier.WRITTEN, SummaryTier.WRITTEN);
    }

    /// What breaks the writer ends the writing, and not the summary.
    @Test
    void aWriterThatBreaksLeavesADescribedSummary() {
        // Given
        var broken = new PlayedLog(WrittenSummaries.broken());
        var holder = accepted(broken.log, SummaryTier.WRITTEN).fence(1, 0xA).thinks(0, "Let me think.\n");
        var reader = broken.new Reader().follow();
        // When
        reader.run.drafted(asked(reader, 0).number(), null);
        reader.append();
        holder.on(0, "And then.\n").close(0).end();
        reader.follow();
        // Then
        assertThat(broken.told()).containsExactly("0¶**Step**\n\nNumber 0.", "0¶**Step**\n\nNumber 1.", "0.");
        assertThat(reader.failures).isEmpty();
        assertThat(reader.run.outcomes()).containsExactly("broken");
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void nothingIsMissingOrToldTwiceHoweverDraftsComeAndSummarizersFail(long seed) {
        // Given
        writeLongReasoning();
        var whole = List.copyOf(frames);
        var described = described(whole);
        frames.clear();
        frames.addAll(whole.subList(0, 1));
        // When
        var play = new Play(whole, new Random(seed), this::answer);
        play.run();
        // Then
        var told = told();
        assertThat(told).hasSameSizeAs(described);
        var words = new HashSet<String>();
        for (int i = 0; i < told.size(); i++) {
            boolean same = told.get(i).equals(described.get(i));
            boolean inAModelsWords = described.get(i).contains("¶") && writtenBy.contains(words(told.get(i)));
            assertThat(same || inAModelsWords).as("%d: %s", i, told.get(i)).isTrue();
            assertThat(same || words.add(words(told.get(i))))
                    .as("repeated: %s", told.get(i))
                    .isTrue();
            assertThat(told.get(i).charAt(0)).isEqualTo(described.get(i).charAt(0));
        }
        assertThat(play.readers).allMatch(reader -> reader.failures.isEmpty());
        assertThat(play.failures).isEmpty();
    }

    @Test
    void someOfTheseLogsHoldWrittenPartsAndSomeDescribedOnes() {
        int inAModelsWords = 0;
        int all = 0;
        for (int seed = 0; seed < 20; seed++) {
            var test = new WrittenRunTest();
            test.writeLongReasoning();
            var whole = List.copyOf(test.frames);
            test.frames.clear();
            test.frames.addAll(whole.subList(0, 1));
            test.new Play(whole, new Random(seed), test::answer).run();
            var tiers = test.tiers();
            inAModelsWords +=
                    (int) tiers.stream().filter(SummaryTier.WRITTEN::equals).count();
            all += tiers.size();
        }
        IO.println("parts in a model's words: " + inAModelsWords + " of " + all);
        assertThat(inAModelsWords).isBetween(all / 20, all - all / 20);
    }

    private String answer(ModelDraft draft) {
        return draft.model().equals("judge") ? ALLOWED : part();
    }

    private String part() {
        var part = fresh();
        var cells = part.split("\"");
        writtenBy.add("**" + cells[3] + "**\n\n" + cells[7]);
        return part;
    }

    private static String words(String told) {
        return told.substring(told.indexOf('¶') + 1);
    }

    private List<SummaryTier> tiers() {
        return ToldSummary.tiersOf(frames);
    }

    private void writeLongReasoning() {
        var anna = accepted(SummaryTier.WRITTEN).fence(1, 0xA);
        anna.thinks(0, "Let me think.\n")
                .on(0, "First of all.\nThen ")
                .on(0, "again.\n")
                .on(0, "And so on.\n");
        anna.close(0).callsHidden(1, "Query.\n").close(1).thinks(2, "Once more.\n");
        log.reissue(2);
        var bert = log.fence(2, 0xB);
        anna.on(2, "VOID\n");
        bert.on(2, "Now I see.\n").on(2, "It is this.\n").on(2, "No, that.\n").close(2);
        bert.answers(3, "Hello.").thinks(4, "Anything else?\n").on(4, "No.\n").end();
    }
}
