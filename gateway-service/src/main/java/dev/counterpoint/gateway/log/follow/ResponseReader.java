package dev.counterpoint.gateway.log.follow;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.frame.ResponseLog;
import dev.counterpoint.bus.frame.SummaryEnd;
import dev.counterpoint.bus.frame.SummarySentence;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.LogTrust;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.gateway.generation.ModelOutput;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Turns the frames of one response into what they say: frames in, outputs out, no clock and no I/O. Not
/// thread-safe.
///
/// After a frame that counts and cannot be read, nothing more is said but the ending: no reader may get an answer
/// with a hole in it.
public final class ResponseReader {
    private final Accepted accepted;
    /// Has the keys by the worker that made them: a summarizer may still use those of the attempt before.
    private final LogTrust trust;

    private final ResponseLog log;

    private Holder holder = new Holder.Nobody();
    private boolean unreadable;

    /// The worker that holds the response.
    private sealed interface Holder {
        /// Before the first fence.
        record Nobody() implements Holder {}

        record Worker(String incarnation, AttemptKeys keys) implements Holder {}

        /// The worker gave the attempt back; until the next fence its keys are the last that are known.
        record FormerWorker(Worker worker) implements Holder {}

        default Holder handOver() {
            return this instanceof Worker working ? new FormerWorker(working) : this;
        }

        default Holder reissue() {
            return this instanceof FormerWorker(Worker worker) ? worker : this;
        }

        default @Nullable Worker last() {
            return switch (this) {
                case Nobody _ -> null;
                case Worker working -> working;
                case FormerWorker(Worker worker) -> worker;
            };
        }
    }

    public ResponseReader(Accepted accepted, LogTrust trust) {
        this.accepted = accepted;
        this.trust = trust;
        log = new ResponseLog(trust);
    }

    /// True if the next frame of the log counts; then [#read] follows.
    boolean counts(Frame frame) {
        return log.accept(frame) == ResponseLog.Verdict.VALID;
    }

    /// Reads a frame that counts.
    ///
    /// @return what it says to the reader, or null when it says nothing
    /// @throws SealException when it does not open
    /// @throws dev.counterpoint.bus.wire.MalformedMessageException when what opened is no body of its kind
    @Nullable
    ModelOutput read(Frame frame) {
        if (unreadable && frame.kind() != FrameKind.OWNER_END) {
            return log.ended() ? failed() : null;
        }
        boolean done = false;
        try {
            var output = say(frame);
            done = true;
            return output;
        } finally {
            unreadable |= !done;
        }
    }

    /// The ending of a response that cannot be read to its end.
    static ModelOutput failed() {
        return new ModelOutput.Stopped(OwnerEnd.Reason.ATTEMPTS_EXHAUSTED);
    }

    private @Nullable ModelOutput say(Frame frame) {
        return switch (frame.kind()) {
            case FENCE -> {
                fenced(frame);
                yield null;
            }
            case REISSUE -> {
                holder = holder.reissue();
                yield null;
            }
            case HANDOVER -> {
                holder = holder.handOver();
                yield null;
            }
            case DELTA -> delta(frame);
            case SEALED_REASONING ->
                new ModelOutput.SealedReasoning(new String(openVisible(frame), StandardCharsets.UTF_8));
            case END -> new ModelOutput.Finished(End.decode(openVisible(frame)));
            case OWNER_END ->
                new ModelOutput.Stopped(OwnerEnd.decode(frame.body()).reason());
            case SUMMARY, SUMMARY_END -> summary(frame);
            case SUMMARY_ABANDONED -> new ModelOutput.SummaryAbandoned();
            case STEER -> new ModelOutput.Steered(frame.nonce(), trust.steer(frame));
            case ACCEPTED, PROGRESS, UNKNOWN -> null;
        };
    }

    private void fenced(Frame frame) {
        var attemptKeys = trust.keysOf(frame.nonce());
        if (attemptKeys.visible() == null) {
            // None of the worker's frames would count here.
            throw new SealException("a gateway was given no key to the visible lane");
        }
        holder = new Holder.Worker(Objects.requireNonNull(trust.worker(frame.nonce())), attemptKeys);
    }

    /// A key to raw reasoning that a fence has for gateways by mistake is not used.
    private ModelOutput delta(Frame frame) {
        boolean reasoning = frame.lane() == Lane.REASONING;
        if (!reasoning) {
            return new ModelOutput.Passage(frame.message(), false, Delta.decode(openVisible(frame)));
        }
        var held = holder.last();
        var delta = held != null && accepted.rawReaders().contains(ServiceRole.GATEWAY)
                ? held.keys().delta(accepted.tenant(), frame)
                : null;
        return delta == null
                ? new ModelOutput.Hidden(frame.message())
                : new ModelOutput.Passage(frame.message(), true, delta);
    }

    /// A summary that cannot be read costs the summary, not the answer.
    private ModelOutput summary(Frame frame) {
        try {
            var key = trust.keysOf(frame.nonce()).of(frame.lane());
            if (key == null) {
                return new ModelOutput.SummaryAbandoned();
            }
            var body = key.open(accepted.tenant(), frame);
            if (frame.kind() == FrameKind.SUMMARY_END) {
                return new ModelOutput.SummaryEnded(
                        frame.message(), SummaryEnd.decode(body).withheld());
            }
            var sentence = SummarySentence.decode(body);
            return new ModelOutput.SummarySentence(
                    frame.message(), sentence.opensPart(), sentence.text(), sentence.tier());
        } catch (SealException | MalformedMessageException e) {
            return new ModelOutput.SummaryAbandoned();
        }
    }

    private byte[] openVisible(Frame frame) {
        var held = holder.last();
        var key = held == null ? null : held.keys().visible();
        if (key == null) {
            throw new SealException("a gateway was given no key to the visible lane");
        }
        return key.open(accepted.tenant(), frame);
    }

    /// The current attempt, from 1.
    public int attempt() {
        return log.attempt();
    }

    public boolean ended() {
        return log.ended();
    }

    /// True if a worker has taken the current attempt.
    public boolean fenced() {
        return log.fenced();
    }

    /// True if the holder cannot or will not go on.
    public boolean givenUp() {
        return log.broken() || holder instanceof Holder.FormerWorker;
    }

    /// True if a frame that counts could not be read.
    public boolean unreadable() {
        return unreadable;
    }

    /// Incarnation of the worker that holds the response, or null before the first fence.
    @Nullable
    public String worker() {
        var held = holder.last();
        return held == null ? null : held.incarnation();
    }
}
