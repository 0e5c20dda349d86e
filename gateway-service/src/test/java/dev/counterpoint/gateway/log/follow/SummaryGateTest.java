package dev.counterpoint.gateway.log.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.log.owner.WorkerVoice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SummaryGateTest {
    private static final ModelOutput DONE = new ModelOutput.Finished(new End(End.Finish.STOP, 1, 0, 1, 0, 0));
    private static final ModelOutput FAILED = new ModelOutput.Finished(new End(End.Finish.FAILED, 1, 0, 1, 0, 0));
    private static final ModelOutput CANCELLED = new ModelOutput.Stopped(OwnerEnd.Reason.CANCELLED);
    private static final ModelOutput ABANDONED = new ModelOutput.SummaryAbandoned();

    private final List<ModelOutput> told = new ArrayList<>();
    private final Map<Integer, ModelOutput> said = new HashMap<>();

    @Test
    void theAnswerComesAfterTheSummaryOfTheReasoningBeforeIt() {
        var gate = new SummaryGate(true);

        tell(gate, thinks(0), says(1), DONE);
        assertThat(told).containsExactly(thinks(0));
        assertThat(gate.closed()).isTrue();

        tell(gate, sums(0), summed(0));
        assertThat(told).containsExactly(thinks(0), sums(0), summed(0), says(1), DONE);
        assertThat(gate.closed()).isFalse();
    }

    @Test
    void aSecondRunOfReasoningHoldsTheSecondAnswerOnly() {
        var gate = new SummaryGate(true);

        tell(gate, thinks(0), says(1), thinks(2), says(3), summed(0));

        assertThat(told).containsExactly(thinks(0), summed(0), says(1), thinks(2));
        assertThat(gate.closed()).isTrue();
    }

    @Test
    void aRunIsSummedUpWhenItsLastMessageIs() {
        var gate = new SummaryGate(true);

        tell(gate, thinks(0), thinks(1), summed(0), says(2));
        assertThat(gate.closed()).isTrue();

        tell(gate, summed(1));
        assertThat(gate.closed()).isFalse();
    }

    @Test
    void onceTheSummaryIsAbandonedNothingWaits() {
        var gate = new SummaryGate(true);

        tell(gate, thinks(0), says(1), ABANDONED, ABANDONED, sums(0), thinks(2), says(3), DONE);

        assertThat(told).containsExactly(thinks(0), ABANDONED, says(1), thinks(2), says(3), DONE);
    }

    @Test
    void whatFailsOrIsStoppedDoesNotWait() {
        var failed = new SummaryGate(true);
        tell(failed, thinks(0), FAILED);
        assertThat(told).containsExactly(thinks(0), FAILED);

        told.clear();
        var stopped = new SummaryGate(true);
        tell(stopped, thinks(0), says(1), CANCELLED);
        assertThat(told).containsExactly(thinks(0), says(1), CANCELLED);
    }

    @Test
    void withoutASummaryAllPassesAndNothingOfOneIsTold() {
        var gate = new SummaryGate(false);

        tell(gate, thinks(0), sums(0), summed(0), ABANDONED, says(1), DONE);

        assertThat(told).containsExactly(thinks(0), says(1), DONE);
    }

    @Test
    void anAnswerWithoutReasoningDoesNotWait() {
        var gate = new SummaryGate(true);

        tell(gate, says(0), DONE);

        assertThat(told).containsExactly(says(0), DONE);
    }

    private void tell(SummaryGate gate, ModelOutput... outputs) {
        for (var output : outputs) {
            told.addAll(gate.accept(output));
        }
    }

    private static ModelOutput thinks(int message) {
        return new ModelOutput.Hidden(message);
    }

    /// The same object for the same message: tokens in an array are not compared by value.
    private ModelOutput says(int message) {
        return said.computeIfAbsent(
                message, ordinal -> new ModelOutput.Passage(ordinal, false, WorkerVoice.delta("hi")));
    }

    private static ModelOutput sums(int message) {
        return new ModelOutput.SummarySentence(message, true, "It thinks.", SummaryTier.DESCRIBED);
    }

    private static ModelOutput summed(int message) {
        return new ModelOutput.SummaryEnded(message, false);
    }
}
