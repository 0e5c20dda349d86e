package dev.counterpoint.worker.take;

import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.worker.take.LogReads.Stretch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/// Finds the log of a job up to a fence. Where the ticket has the offset of frame 0, that is where the log begins.
/// Where frame 0 was appended together with the ticket, it is near the fence, before or behind it, or comes soon.
/// Thread-safe.
final class LogSearch {
    /// So few records are read along with frame 0, because a second question to the broker takes longer.
    private static final int NEAR = 500;
    /// Records before a fence among which frame 0 is looked for, at least and at most.
    private static final int BACK_MIN = 16;

    private static final int BACK_MAX = 100_000;
    private static final int BACK_FACTOR = 10;
    /// By which the gateway's clock may be ahead of the broker's.
    private static final Duration CLOCKS = Duration.ofSeconds(30);

    private static final Duration LOOK_AGAIN = Duration.ofMillis(200);

    private final LogReads reads;
    private final Duration acceptedWithin;
    /// Records before a fence among which frame 0 was lately. Jobs that lose an update read a little more, or less.
    private volatile long usual = BACK_MIN;

    /// @param acceptedWithin how long frame 0 may come after a fence
    LogSearch(LogReads reads, Duration acceptedWithin) {
        this.reads = reads;
        this.acceptedWithin = acceptedWithin;
    }

    sealed interface Found {
        /// The frames from frame 0 to the fence. Records that are no frames are left out.
        record Log(List<Frame> frames) implements Found {}

        /// Frame 0 comes after the fence, so the fence is void.
        ///
        /// @param offset of frame 0
        record AcceptedLater(long offset) implements Found {}

        record NotAccepted() implements Found {}
    }

    /// Frame 0, from the ticket itself or else from the offset that the ticket names.
    ///
    /// @throws KafkaException when the log cannot be read within some seconds
    Optional<Frame> first(JobTicket ticket) throws InterruptedException {
        if (ticket.first() != null || ticket.acceptedOffset() == JobTicket.NOT_YET) {
            return Optional.ofNullable(ticket.first());
        }
        return read(ticket, ticket.acceptedOffset(), ticket.acceptedOffset()).stream()
                .flatMap(entry -> frame(entry).stream())
                .findFirst();
    }

    /// @param read frame 0 if it was read already
    /// @param fence offset
    /// @param stopped whether it is of no use any more to wait for frame 0
    /// @throws KafkaException when the log cannot be read within some seconds
    Found find(JobTicket ticket, @Nullable Frame read, long fence, BooleanSupplier stopped)
            throws InterruptedException {
        var first = read == null ? ticket.first() : read;
        if (ticket.acceptedOffset() == JobTicket.NOT_YET) {
            return first == null ? new Found.NotAccepted() : search(ticket, first, fence, stopped);
        }
        if (first == null && ticket.passedOver() <= NEAR) {
            return new Found.Log(frames(read(ticket, ticket.acceptedOffset(), fence)));
        }
        var known = first == null ? first(ticket) : Optional.of(first);
        var frames = new ArrayList<Frame>();
        known.ifPresent(frames::add);
        frames.addAll(frames(read(ticket, ticket.readFrom(), fence)));
        return new Found.Log(known.isPresent() ? frames : List.of());
    }

    private Found search(JobTicket ticket, Frame first, long fence, BooleanSupplier stopped)
            throws InterruptedException {
        long until = System.nanoTime() + acceptedWithin.toNanos();
        var before = back(ticket, first, fence, usual);
        if (before.isEmpty()) {
            var later = later(ticket, first, fence);
            if (!later.isEmpty()) {
                return new Found.AcceptedLater(later.getFirst().offset());
            }
            before = farBack(ticket, first, fence); // the ticket waited
        } else {
            usual = Math.max(2 * (fence - before.getFirst().offset()), Math.max(BACK_MIN, usual - usual / BACK_MIN));
        }
        if (!before.isEmpty()) {
            return new Found.Log(frames(before));
        }
        var later = later(ticket, first, fence);
        while (later.isEmpty() && System.nanoTime() < until && !stopped.getAsBoolean()) {
            Thread.sleep(LOOK_AGAIN);
            later = later(ticket, first, fence);
        }
        return later.isEmpty()
                ? new Found.NotAccepted()
                : new Found.AcceptedLater(later.getFirst().offset());
    }

    private List<ConsumerRecord<String, byte[]>> later(JobTicket ticket, Frame first, long fence)
            throws InterruptedException {
        return from(first, read(ticket, fence + 1, Stretch.END));
    }

    private List<ConsumerRecord<String, byte[]>> farBack(JobTicket ticket, Frame first, long fence)
            throws InterruptedException {
        for (long records = usual * BACK_FACTOR; records < BACK_MAX; records *= BACK_FACTOR) {
            var found = back(ticket, first, fence, records);
            if (!found.isEmpty()) {
                return found;
            }
        }
        long since = ticket.response().acceptedAtMillis() - CLOCKS.toMillis();
        return from(first, reads.read(new Stretch(ticket.response(), since, true, fence)));
    }

    private List<ConsumerRecord<String, byte[]>> back(JobTicket ticket, Frame first, long fence, long records)
            throws InterruptedException {
        try {
            return from(first, read(ticket, Math.max(0, fence - records), fence));
        } catch (OffsetOutOfRangeException e) {
            return List.of(); // the log begins after that
        }
    }

    private List<ConsumerRecord<String, byte[]>> read(JobTicket ticket, long from, long last)
            throws InterruptedException {
        return reads.read(Stretch.of(ticket.response(), from, last));
    }

    /// The records from frame 0 on; none where it is not among them.
    private static List<ConsumerRecord<String, byte[]>> from(
            Frame first, List<ConsumerRecord<String, byte[]>> records) {
        return records.stream()
                .dropWhile(entry -> !frame(entry).filter(first::equals).isPresent())
                .toList();
    }

    private static List<Frame> frames(List<ConsumerRecord<String, byte[]>> records) {
        return records.stream().flatMap(entry -> frame(entry).stream()).toList();
    }

    private static Optional<Frame> frame(ConsumerRecord<String, byte[]> entry) {
        try {
            return Optional.of(Frame.decode(entry));
        } catch (MalformedMessageException e) {
            return Optional.empty(); // void for every reader alike
        }
    }
}
