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
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/// Appends the frames of one attempt, sealed, tagged and counted. One append that fails makes a gap, after which
/// nothing of the attempt counts, so [#failed] tells to give it up. An attempt that began while its fence was on its
/// way waits here until it is known whether the fence won; where it lost, nothing is appended. One thread appends; the
/// broker's answers come on another.
public final class FramePublisher {
    private static final long END_TIMEOUT_SECONDS = 11;
    private static final byte[] EMPTY = new byte[0];

    private final JobTicket ticket;
    private final long nonce;
    private final AttemptKeys keys;
    private final Producer<String, byte[]> producer;
    private final CompletableFuture<Boolean> won = new CompletableFuture<>();
    private int seq;
    /// Appends that the broker has not answered; guarded by this.
    private int unanswered;

    private volatile boolean appending;
    private volatile boolean failed;

    public FramePublisher(JobTicket ticket, long nonce, AttemptKeys keys, Producer<String, byte[]> producer) {
        this.ticket = ticket;
        this.nonce = nonce;
        this.keys = keys;
        this.producer = producer;
    }

    /// The attempt's fence won, or it did not. What is told first counts. Any thread.
    public void fenced(boolean hasWon) {
        won.complete(hasWon);
    }

    /// Names the attempt: no other, of whatever worker, has this name.
    String attempt() {
        return ticket.response() + "." + HexFormat.of().toHexDigits(nonce);
    }

    void delta(int message, Lane lane, Delta delta) {
        append(sealed(next(lane, FrameKind.DELTA, message), delta.encode()));
    }

    void sealedReasoning(String blob) {
        append(sealed(next(Lane.VISIBLE, FrameKind.SEALED_REASONING, 0), blob.getBytes(StandardCharsets.US_ASCII)));
    }

    void progress() {
        append(keys.tagged(Frame.sign(ticket.response(), ticket.attempt(), nonce, FrameKind.PROGRESS)));
    }

    /// The attempt gives up.
    public void handover() {
        append(handoverFrame());
    }

    /// Gives up a response whose attempt does not run, whether its fence won or not: no reader heeds one that lost.
    public void handoverUnstarted() {
        send(handoverFrame());
    }

    private Frame handoverFrame() {
        return keys.tagged(Frame.sign(ticket.response(), ticket.attempt(), nonce, FrameKind.HANDOVER));
    }

    /// Appends the end and waits until the broker has it.
    ///
    /// @return whether it has
    public boolean end(End end, AttemptSpans spans) throws InterruptedException {
        return holds() && await(record(sealed(next(Lane.VISIBLE, FrameKind.END, 0), end.encode())), spans);
    }

    /// Appends the trace of the response to the audit service's topic and waits until the broker has it, which it
    /// gets after every frame before: whoever goes on from here finds in the log what the trace says.
    ///
    /// @param trace signed
    /// @return whether it has
    public boolean trace(byte[] trace, AttemptSpans spans) throws InterruptedException {
        return holds()
                && allAnswered()
                && await(new ProducerRecord<>(Topic.AUDIT, ticket.response().toString(), trace), spans);
    }

    private boolean await(ProducerRecord<String, byte[]> record, AttemptSpans spans) throws InterruptedException {
        var sending = spans.sending(record);
        try {
            producer.send(record).get(END_TIMEOUT_SECONDS, TimeUnit.SECONDS);
            return !failed;
        } catch (ExecutionException | TimeoutException | KafkaException e) {
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

    /// True while an append stands still because the bus takes nothing, or the fence is on its way. Any thread.
    boolean appending() {
        return appending;
    }

    /// The next counted frame, still without its body.
    private Frame next(Lane lane, FrameKind kind, int message) {
        return new Frame(
                ticket.response(), ticket.attempt(), nonce, seq++, lane, kind, message, EMPTY, UnknownFields.NONE);
    }

    private Frame sealed(Frame bare, byte[] body) {
        LaneKey key = Objects.requireNonNull(keys.of(bare.lane()));
        return keys.tagged(bare.withBody(key.seal(body, ticket.tenant(), bare)));
    }

    private void append(Frame frame) {
        if (holds()) {
            send(frame);
        }
    }

    /// Waits until it is known whether the fence won.
    private boolean holds() {
        appending = true;
        try {
            return won.join();
        } finally {
            appending = false;
        }
    }

    private void send(Frame frame) {
        sent();
        appending = true;
        try {
            producer.send(record(frame), (_, failure) -> answered(failure == null));
        } catch (KafkaException e) {
            answered(false);
        } finally {
            appending = false;
        }
    }

    private synchronized void sent() {
        unanswered++;
    }

    private synchronized void answered(boolean appended) {
        unanswered--;
        if (!appended) {
            failed = true;
        }
        notifyAll();
    }

    private ProducerRecord<String, byte[]> record(Frame frame) {
        var response = ticket.response();
        return new ProducerRecord<>(Topic.FRAMES, response.partition(), response.toString(), frame.encode());
    }
}
