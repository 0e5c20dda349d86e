package dev.counterpoint.worker.attempt;

import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.ResponseLog;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.seal.LogTrust;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Reads the log of a response up to this worker's fence: whether the fence won, and what the model already said. Not
/// thread-safe.
public final class ResumeState {
    private final JobTicket ticket;
    private final LogTrust trust;
    private final ResponseLog log;
    private final List<Said> said = new ArrayList<>();
    private boolean steered;

    /// The output that earlier attempts left, step by step.
    public sealed interface Said {
        /// @param ids as the engine sampled them
        record Tokens(int[] ids) implements Said {}

        /// The analysis so far was sealed and sent.
        record Sealed() implements Said {}
    }

    /// @param trust that verified frame 0
    public ResumeState(JobTicket ticket, LogTrust trust) {
        this.ticket = ticket;
        this.trust = trust;
        log = new ResponseLog(trust);
    }

    /// Takes the next frame of the response.
    ///
    /// @throws dev.counterpoint.bus.seal.SealException when a valid frame does not open
    public void accept(Frame frame) {
        if (log.accept(frame) == ResponseLog.Verdict.VOID) {
            return;
        }
        switch (frame.kind()) {
            case DELTA -> said.add(new Said.Tokens(delta(frame).tokens()));
            case SEALED_REASONING -> said.add(new Said.Sealed());
            case STEER -> steered = true;
            case ACCEPTED, REISSUE, FENCE, PROGRESS, HANDOVER, END, OWNER_END -> {}
            case SUMMARY, SUMMARY_END, SUMMARY_ABANDONED, UNKNOWN -> {}
        }
    }

    private Delta delta(Frame frame) {
        return Objects.requireNonNull(trust.keysOf(frame.nonce()).delta(ticket.tenant(), frame));
    }

    /// True if frames of the worker with this nonce count from here on.
    public boolean wonBy(long nonce) {
        return log.isHeldBy(nonce) && log.attempt() == ticket.attempt();
    }

    /// True if the user said something meanwhile: the response is to end.
    public boolean steered() {
        return steered;
    }

    public List<Said> said() {
        return List.copyOf(said);
    }
}
