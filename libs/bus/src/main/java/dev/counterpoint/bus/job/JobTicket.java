package dev.counterpoint.bus.job;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.UnknownFields;
import dev.counterpoint.bus.wire.Wire;
import java.util.Set;

/// One record of a topic `jobs.*`: says which response waits for a worker and where its job stands. The job
/// itself is in frame 0, which the worker reads anyway to learn whether the response still needs it.
///
/// @param response its id also names the partition of `frames`
/// @param acceptedOffset offset of its frame 0
/// @param attempt that this ticket asks for, from 1
/// @param tenant bound into the attempt's keys
/// @param rawReaders as in [dev.counterpoint.bus.frame.Accepted]
/// @param deadlineMillis milliseconds since 1970; a worker does not start after it
/// @param passedOver records of its partition right after frame 0 of which none counts for this response: a worker that
///     has frame 0 reads on behind them
/// @param unknown fields of newer versions; they survive when an owner publishes the ticket again
public record JobTicket(
        ResponseId response,
        long acceptedOffset,
        int attempt,
        String tenant,
        Set<ServiceRole> rawReaders,
        long deadlineMillis,
        long passedOver,
        UnknownFields unknown) {
    private static final int VERSION = 1;

    public JobTicket {
        rawReaders = Set.copyOf(rawReaders);
    }

    /// A ticket of which nothing is known but frame 0.
    public JobTicket(
            ResponseId response,
            long acceptedOffset,
            int attempt,
            String tenant,
            Set<ServiceRole> rawReaders,
            long deadlineMillis,
            UnknownFields unknown) {
        this(response, acceptedOffset, attempt, tenant, rawReaders, deadlineMillis, 0, unknown);
    }

    public JobTicket forAttempt(int next) {
        return new JobTicket(response, acceptedOffset, next, tenant, rawReaders, deadlineMillis, passedOver, unknown);
    }

    /// The same job, of which nothing counts between frame 0 and this offset. A log only grows, so what was once true
    /// of it stays true.
    public JobTicket readFrom(long offset) {
        long after = Math.max(0, offset - acceptedOffset - 1);
        return new JobTicket(response, acceptedOffset, attempt, tenant, rawReaders, deadlineMillis, after, unknown);
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
        return BusProto.JobTicket.newBuilder()
                .setVersion(VERSION)
                .setResponse(response.toString())
                .setAcceptedOffset(acceptedOffset)
                .setAttempt(attempt)
                .setTenantBytes(Wire.text(tenant))
                .addAllRawReaders(ServiceRole.wireNames(rawReaders))
                .setDeadlineMillis(deadlineMillis)
                .setPassedOver(passedOver)
                .setUnknownFields(unknown.set())
                .build()
                .toByteArray();
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
                UnknownFields.of(in));
    }
}
