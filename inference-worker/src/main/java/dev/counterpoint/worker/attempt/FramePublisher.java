package dev.counterpoint.worker.attempt;

import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.LaneKey;
import dev.counterpoint.bus.wire.UnknownFields;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.ProducerRecord;

/// Appends the frames of one attempt, sealed, tagged and counted. One append that fails makes a gap, after which
/// nothing of the attempt counts, so [#failed] then asks the caller to give it up. An attempt may append frames
/// before it knows whether its fence won, because readers void the frames of an attempt whose fence lost; its trace
/// and its end wait for that. Thread-safe; only [#end] and [#trace] wait.
public final class FramePublisher {
    private static final long END_TIMEOUT_SECONDS = 11;

    private static final byte[] EMPTY = new byte[0];

    private final JobTicket ticket;
    private final long nonce;
    private final AttemptKeys keys;
    private final FrameSender sender;
    private final CompletableFuture<Boolean> won = new CompletableFuture<>();
    /// Guarded by this object, like `unanswered`.
    private int seq;

    /// Appends that the broker has not answered.
    private int unanswered;

    private volatile boolean failed;

    public FramePublisher(JobTicket ticket, long nonce, AttemptKeys keys, FrameSender sender) {
        this.ticket = ticket;
        this.nonce = nonce;
        this.keys = keys;
        this.sender = sender;
    }

    /// Reports whether the attempt's fence won. Only the first call has an effect.
    public void fenced(boolean hasWon) {
        won.complete(hasWon);
    }

    /// The name of the attempt, unique across all workers.
    String attempt() {
        return ticket.response() + "." + HexFormat.of().toHexDigits(nonce);
    }

    synchronized void delta(int message, Lane lane, Delta delta) {
        append(sealed(next(lane, FrameKind.DELTA, message), delta.encode()));
    }

    synchronized void sealedReasoning(String blob) {
        append(sealed(next(Lane.VISIBLE, FrameKind.SEALED_REASONING, 0), blob.getBytes(StandardCharsets.US_ASCII)));
    }

    synchronized void progress() {
        append(sign(FrameKind.PROGRESS));
    }

    /// The attempt gives up.
    public synchronized void handover() {
        append(sign(FrameKind.HANDOVER));
    }

    /// Hands over a response whose attempt does not run. Works for any fence: readers ignore a handover if the
    /// fence lost.
    public synchronized void handoverUnstarted() {
        send(sign(FrameKind.HANDOVER));
    }

    private Frame sign(FrameKind kind) {
        return keys.tagged(
                Frame.sign(ticket.response(), ticket.attempt(), nonce, kind).in(ticket.format()));
    }

    /// Appends the end and waits until the broker has it.
    ///
    /// @return whether the broker has it
    public boolean end(End end, AttemptSpans spans) throws InterruptedException {
        return holds() && await(endRecord(end), spans);
    }

    private synchronized ProducerRecord<String, byte[]> endRecord(End end) {
        return sealed(next(Lane.VISIBLE, FrameKind.END, 0), end.encode()).record();
    }

    /// Appends the trace of the response to the audit service's topic and waits until the broker has it, after all
    /// earlier frames. So the log holds everything that the trace holds.
    ///
    /// @param trace signed
    /// @return whether it has
    public boolean trace(byte[] trace, AttemptSpans spans) throws InterruptedException {
        return holds()
                && allAnswered()
                && await(new ProducerRecord<>(Topic.AUDIT, ticket.response().toString(), trace), spans);
    }

    /// Waits until it is known whether the fence won.
    private boolean holds() throws InterruptedException {
        try {
            return won.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean await(ProducerRecord<String, byte[]> record, AttemptSpans spans) throws InterruptedException {
        var sending = spans.sending(record);
        try {
            sender.send(record).get(END_TIMEOUT_SECONDS, TimeUnit.SECONDS);
            return !failed;
        } catch (ExecutionException | TimeoutException e) {
            failed = true;
            sending.failed(e.getClass().getSimpleName());
            return false;
        } finally {
            sending.end();
        }
    }

    private synchronized boolean allAnswered() throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_TIMEOUT_SECONDS);
        while (unanswered > 0 && !failed) {
            long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
            if (left <= 0) {
                failed = true;
                break;
            }
            wait(left);
        }
        return !failed;
    }

    boolean failed() {
        return failed;
    }

    /// False while the bus takes less than it is sent.
    boolean hasRoom() {
        return sender.hasRoom();
    }

    /// The next counted frame, still without its body.
    private Frame next(Lane lane, FrameKind kind, int message) {
        return new Frame(
                ticket.response(),
                ticket.attempt(),
                nonce,
                seq++,
                lane,
                kind,
                message,
                EMPTY,
                UnknownFields.NONE,
                EMPTY,
                ticket.format());
    }

    private Frame sealed(Frame bare, byte[] body) {
        LaneKey key = Objects.requireNonNull(keys.of(bare.lane()));
        return keys.tagged(bare.withBody(key.seal(body, ticket.tenant(), bare)));
    }

    private void append(Frame frame) {
        if (won.getNow(true)) {
            send(frame);
        }
    }

    private void send(Frame frame) {
        unanswered++;
        sender.append(frame.record(), (_, failure) -> answered(failure == null));
    }

    private synchronized void answered(boolean appended) {
        unanswered--;
        if (!appended) {
            failed = true;
        }
        notifyAll();
    }
}
