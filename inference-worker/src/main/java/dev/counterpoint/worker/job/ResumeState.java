package dev.counterpoint.worker.job;

import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.Fence;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.ResponseLog;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.KeyRing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Reads the log of a response up to this worker's fence: whether the fence won, and what the model already said. Not
/// thread-safe.
final class ResumeState {
    private final JobTicket ticket;
    private final KeyRing keys;
    private final ResponseLog log = new ResponseLog();
    private final List<Said> said = new ArrayList<>();
    private @Nullable AttemptKeys attemptKeys;

    /// The output that earlier attempts left, step by step.
    sealed interface Said {
        /// @param ids as the engine sampled them
        record Tokens(int[] ids) implements Said {}

        /// The analysis so far was sealed and sent.
        record Sealed() implements Said {}
    }

    ResumeState(JobTicket ticket, KeyRing keys) {
        this.ticket = ticket;
        this.keys = keys;
    }

    /// Takes the next frame of the response.
    ///
    /// @throws dev.counterpoint.bus.seal.SealException when a valid frame does not open
    void accept(Frame frame) {
        if (log.accept(frame) == ResponseLog.Verdict.VOID) {
            return;
        }
        switch (frame.kind()) {
            case FENCE -> attemptKeys = AttemptKeys.of(Fence.decode(frame.body()), place(frame), keys);
            case DELTA -> said.add(new Said.Tokens(delta(frame).tokens()));
            case SEALED_REASONING -> said.add(new Said.Sealed());
            case ACCEPTED,
                    REISSUE,
                    PROGRESS,
                    HANDOVER,
                    END,
                    OWNER_END,
                    SUMMARY,
                    SUMMARY_END,
                    SUMMARY_ABANDONED,
                    UNKNOWN -> {}
        }
    }

    private AttemptKeys.Place place(Frame frame) {
        return new AttemptKeys.Place(ticket.tenant(), frame.response(), frame.attempt(), frame.nonce());
    }

    private Delta delta(Frame frame) {
        return Objects.requireNonNull(Objects.requireNonNull(attemptKeys).delta(ticket.tenant(), frame));
    }

    /// True if the worker with this nonce is the one whose frames count from here on.
    boolean wonBy(long nonce) {
        return log.isHeldBy(nonce) && log.attempt() == ticket.attempt();
    }

    List<Said> said() {
        return List.copyOf(said);
    }

    /// The tokens that the model said, in order.
    static int[] tokens(List<Said> said) {
        return said.stream()
                .flatMapToInt(step -> switch (step) {
                    case Said.Tokens(int[] ids) -> Arrays.stream(ids);
                    case Said.Sealed() -> Arrays.stream(new int[0]);
                })
                .toArray();
    }
}
