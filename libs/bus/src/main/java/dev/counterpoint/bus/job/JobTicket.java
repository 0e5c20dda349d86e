package dev.counterpoint.bus.job;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.UnknownFields;
import dev.counterpoint.bus.wire.Wire;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One record of a topic `jobs.*`: says which response waits for a worker and where its job stands. The job
/// itself is in frame 0, which the worker reads from the log unless the ticket brings it.
///
/// @param response its id also names the partition of `frames`
/// @param acceptedOffset offset of its frame 0, or [#NOT_YET]
/// @param attempt that this ticket asks for, from 1
/// @param tenant bound into the attempt's keys
/// @param rawReaders as in [dev.counterpoint.bus.frame.Accepted]
/// @param deadlineMillis milliseconds since 1970; a worker does not start after it
/// @param passedOver records of its partition right after frame 0 of which none counts for this response: a worker
///     that has frame 0 reads on behind them
/// @param format in which the attempt writes, for a worker fences before it reads frame 0; as there, or 1 where an
///     owner of an older version published the ticket again
/// @param first frame 0, signed, in a new ticket of an inbox; null where the worker must read it
/// @param resent whether an owner sent the job again, so that another worker may have it
/// @param unknown fields of newer versions; they survive when an owner publishes the ticket again
public record JobTicket(
        ResponseId response,
        long acceptedOffset,
        int attempt,
        String tenant,
        Set<ServiceRole> rawReaders,
        long deadlineMillis,
        long passedOver,
        int format,
        @Nullable Frame first,
        boolean resent,
        UnknownFields unknown) {
    /// The offset of a frame 0 that is on its way to the broker together with its ticket.
    public static final long NOT_YET = -1;

    private static final int VERSION = 1;

    public JobTicket {
        rawReaders = Set.copyOf(rawReaders);
    }

    /// A ticket of which nothing is known but frame 0.
    public static JobTicket of(ResponseId response, long acceptedOffset, int attempt, Accepted accepted) {
        return new JobTicket(
                response,
                acceptedOffset,
                attempt,
                accepted.tenant(),
                accepted.rawReaders(),
                accepted.deadlineMillis(),
                0,
                accepted.format(),
                null,
                false,
                UnknownFields.NONE);
    }

    /// The same job, of which nothing counts between frame 0 and this offset. A log only grows, so what was once true
    /// of it stays true.
    public JobTicket readFrom(long offset) {
        return with(acceptedOffset, Math.max(0, offset - acceptedOffset - 1), first, resent);
    }

    /// The same job with its frame 0, and nothing passed over.
    ///
    /// @param offset of frame 0, or [#NOT_YET]
    /// @param accepted null where the worker is to read it
    public JobTicket with(long offset, @Nullable Frame accepted) {
        return with(offset, 0, accepted, resent);
    }

    /// The same job, sent again: the worker has to read the log first.
    ///
    /// @param offset of its frame 0
    public JobTicket again(long offset) {
        return with(offset, passedOver, null, true);
    }

    private JobTicket with(long offset, long after, @Nullable Frame accepted, boolean again) {
        return new JobTicket(
                response, offset, attempt, tenant, rawReaders, deadlineMillis, after, format, accepted, again, unknown);
    }

    /// The offset from which the log is to be read after frame 0.
    public long readFrom() {
        return acceptedOffset + 1 + passedOver;
    }

    /// True when frame 0 says the same of tenant, readers and deadline.
    public boolean agreesWith(Accepted accepted) {
        return tenant.equals(accepted.tenant())
                && rawReaders.equals(accepted.rawReaders())
                && deadlineMillis == accepted.deadlineMillis();
    }

    public byte[] encode() {
        var out = BusProto.JobTicket.newBuilder()
                .setVersion(VERSION)
                .setResponse(response.toString())
                .setAcceptedOffset(acceptedOffset)
                .setAttempt(attempt)
                .setTenantBytes(Wire.text(tenant))
                .addAllRawReaders(ServiceRole.wireNames(rawReaders))
                .setDeadlineMillis(deadlineMillis)
                .setPassedOver(passedOver)
                .setFormat(Wire.unlessFirst(format))
                .setResent(Wire.flag(resent))
                .setUnknownFields(unknown.set());
        if (first != null) {
            out.setFirst(Wire.bytes(first.encode()));
        }
        return out.build().toByteArray();
    }

    public static JobTicket decode(byte[] bytes) {
        var in = Wire.parse(BusProto.JobTicket.parser(), bytes, VERSION);
        return new JobTicket(
                Wire.response(in.getResponse()),
                in.getAcceptedOffset(),
                Wire.small(in.getAttempt()),
                in.getTenant(),
                ServiceRole.ofWireNames(in.getRawReadersList()),
                in.getDeadlineMillis(),
                in.getPassedOver(),
                Frame.knownFormat(in.getFormat()),
                in.hasFirst() ? Frame.decode(in.getFirst().toByteArray()) : null,
                in.getResent() != 0,
                UnknownFields.of(in));
    }
}
