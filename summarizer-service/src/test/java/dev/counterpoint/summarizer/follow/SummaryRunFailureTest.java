package dev.counterpoint.summarizer.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Fence;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.frame.SummaryEnd;
import dev.counterpoint.bus.frame.SummarySentence;
import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.LaneKey;
import dev.counterpoint.bus.testkit.TestKeys;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What is unexpected ends the summary of its response, and nothing else.
class SummaryRunFailureTest extends PlayedLog {
    @ParameterizedTest
    @MethodSource("seeds")
    void anyNumberOfSummarizersThatFailCloseEveryMessageOnce(long seed) {
        // Given
        var holder = log.accepted().fence(1, 0xA).thinks(0, "One. Two.").on(0, " Three. boom. Four.");
        holder.close(0).thinks(1, "Five.").close(1).answers(2, "Hello.").end();
        var whole = List.copyOf(frames);
        frames.clear();
        frames.addAll(whole.subList(0, 1));
        // When
        var readers = playAtRandom(whole, new Random(seed));
        // Then
        assertThat(told()).contains("1!");
        assertThat(told().stream().filter(said -> !said.endsWith("!")))
                .isSubsetOf("0¶One.", "0+ Two.", "0+ Three.")
                .doesNotHaveDuplicates();
        assertThat(readers).allMatch(reader -> reader.failures.size() == 1);
    }

    @Test
    void aJobThatDoesNotOpenWithholdsEverything() {
        // Given
        var holder = log.accepted(new byte[] {1, 2, 3}).fence(1, 0xA);
        var reader = new Reader();
        // When
        holder.thinks(0, "One.").close(0);
        reader.follow();
        // Then
        assertThat(told()).containsExactly("0!");
        // When
        holder.thinks(1, "Two.").close(1).answers(2, "Hello.").end();
        reader.follow();
        // Then
        assertThat(told()).containsExactly("0!", "1!");
        assertThat(reader.run.done()).isTrue();
        assertThat(reader.failures).containsExactly(new SummaryRun.Failure(FrameKind.ACCEPTED, "SealException"));
    }

    @ParameterizedTest
    @ValueSource(strings = {" boom.", " abyss."})
    void textThatBreaksTheCodeIsWithheldAndSoIsAllAfterIt(String bad) {
        // Given
        var holder = log.accepted().fence(1, 0xA).thinks(0, "One." + bad + " Two.");
        var reader = new Reader().follow();
        // When
        holder.on(0, " Three.").close(0).thinks(1, "Four.").close(1).end();
        reader.follow();
        // Then
        assertThat(told()).containsExactly("0!", "1!");
        assertThat(reader.run.done()).isTrue();
        assertThat(reader.failures).hasSize(1);
        assertThat(reader.failures.toString()).doesNotContain("boom");
    }

    @Test
    void whatWasSaidBeforeAFailureStaysAndTheEndComesAfterIt() {
        // Given
        var holder = log.accepted().fence(1, 0xA).thinks(0, "One. Two.");
        var reader = new Reader().readAll();
        var underway = reader.run.due();
        // When
        holder.on(0, " boom.");
        reader.follow();
        underway.forEach(due -> frames.add(due.frame()));
        reader.follow();
        // Then
        assertThat(told()).containsExactly("0¶One.", "0+ Two.", "0!");
    }

    @Test
    void aLostEndIsSaidAgainAfterAFailureToo() {
        // Given
        log.accepted().fence(1, 0xA).thinks(0, "boom.").end();
        var reader = new Reader().readAll();
        reader.run.due();
        // When
        reader.run.again();
        reader.append();
        reader.follow();
        // Then
        assertThat(told()).containsExactly("0!");
        assertThat(reader.run.done()).isTrue();
    }

    @Test
    void aDeltaThatDoesNotOpenWithholdsTheRest() {
        // Given
        var holder = log.accepted().fence(1, 0xA).thinks(0, "One.");
        var other = log.new Holder(1, 0xA, new AttemptKeys(holder.keys.visible(), LaneKey.create()));
        other.loses().on(0, " Sealed with another key.");
        // When
        holder.loses().on(0, " Two.").close(0).end();
        var reader = new Reader().follow();
        // Then
        assertThat(told()).containsExactly("0¶One.", "0!");
        assertThat(reader.failures).containsExactly(new SummaryRun.Failure(FrameKind.DELTA, "SealException"));
    }

    @Test
    void messagesOutOfOrderAreWithheld() {
        // Given
        var holder = log.accepted().fence(1, 0xA).thinks(1, "One.").close(1);
        var reader = new Reader().follow();
        // When
        holder.thinks(0, "Zero.").close(0).thinks(2, "Two.").end();
        reader.follow();
        // Then
        assertThat(told()).containsExactly("1¶One.", "1.", "2!");
        assertThat(reader.run.done()).isTrue();
    }

    @Test
    void aMessageWithoutItsHeaderOrWithASecondOneIsWithheld() {
        // Given
        var holder = log.accepted().fence(1, 0xA);
        var reader = new Reader();
        // When
        holder.on(0, "One.").close(0).end();
        reader.follow();
        // Then
        assertThat(told()).containsExactly("0!");
    }

    @Test
    void aSecondHeaderInAMessageIsWithheld() {
        // Given
        var holder = log.accepted().fence(1, 0xA).thinks(0, "One.");
        var reader = new Reader().follow();
        // When
        holder.delta(
                Lane.REASONING,
                0,
                ResponseLogWriter.says(ResponseLogWriter.header("commentary", "python"), " Two.", false));
        holder.close(0).end();
        reader.follow();
        // Then
        assertThat(told()).containsExactly("0¶One.", "0!");
    }

    @Test
    void doesNotContinueASummaryThatIsNotItsOwn() {
        // Given
        var holder = log.accepted().fence(1, 0xA).thinks(0, "One. Two.");
        holder.summary(0, FrameKind.SUMMARY, 0, new SummarySentence(true, "Uno.", SummaryTier.DESCRIBED).encode());
        holder.on(0, " Three.").close(0).end();
        // When
        var successor = new Reader().readAll();
        successor.append();
        successor.follow();
        // Then
        assertThat(told()).containsExactly("0¶Uno.", "0!");
        assertThat(successor.run.done()).isTrue();
    }

    @Test
    void closesWhatIsOpenWhereAnotherVersionSaidMore() {
        // Given
        var holder = log.accepted().fence(1, 0xA).thinks(0, "One.");
        holder.summary(0, FrameKind.SUMMARY, 0, new SummarySentence(true, "One.", SummaryTier.DESCRIBED).encode());
        holder.summary(1, FrameKind.SUMMARY, 0, new SummarySentence(false, "More.", SummaryTier.DESCRIBED).encode());
        holder.summary(2, FrameKind.SUMMARY_END, 0, new SummaryEnd(false).encode());
        // When
        var successor = new Reader().follow();
        holder.thinks(1, "Two.").close(1).end();
        successor.follow();
        // Then
        assertThat(told()).containsExactly("0¶One.", "0+More.", "0.", "1!");
        assertThat(successor.run.done()).isTrue();
    }

    @Test
    void saysNothingWithoutAKeyToSealIt() {
        // Given
        log.accepted();
        var fence = new Fence("worker-1", Map.of(ServiceRole.SUMMARIZER, new byte[] {1}), Map.of());
        frames.add(TestKeys.signed(Frame.sign(log.id, 1, 0xA, FrameKind.FENCE).withBody(fence.encode())));
        log.new Holder(1, 0xA, AttemptKeys.create()).thinks(0, "One.").close(0);
        // When
        var reader = new Reader().follow();
        // Then
        assertThat(reader.run.due()).isEmpty();
        assertThat(reader.failures).hasSize(1);
    }
}
