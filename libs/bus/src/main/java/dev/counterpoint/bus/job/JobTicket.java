package dev.counterpoint.bus.job;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.Role;
import dev.counterpoint.bus.wire.Fields;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.bus.wire.Unknown;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One record of a topic `jobs.*`: says which response waits for a worker and where its job stands. The job
/// itself is in frame 0, which the worker reads anyway to learn whether the response still needs it.
///
/// @param response whose id also names the partition of `frames`
/// @param acceptedOffset offset of its frame 0
/// @param attempt that this ticket asks for, from 1
/// @param tenant bound into the attempt's keys
/// @param rawReaders as in [dev.counterpoint.bus.frame.Accepted]
/// @param deadlineMillis milliseconds since 1970; a worker does not start after it
/// @param unknown fields of newer versions; they survive when an owner publishes the ticket again
public record JobTicket(
        ResponseId response,
        long acceptedOffset,
        int attempt,
        String tenant,
        Set<Role> rawReaders,
        long deadlineMillis,
        Unknown unknown) {
    private static final int VERSION = 1;

    public JobTicket {
        rawReaders = Set.copyOf(rawReaders);
    }

    /// The same job for the next attempt.
    public JobTicket forAttempt(int next) {
        return new JobTicket(response, acceptedOffset, next, tenant, rawReaders, deadlineMillis, unknown);
    }

    public byte[] encode() {
        return new Fields.Writer()
                .number(1, VERSION)
                .text(2, response.toString())
                .number(3, acceptedOffset)
                .number(4, attempt)
                .text(5, tenant)
                .texts(6, rawReaders.stream().map(Role::wireName).sorted().toList())
                .number(7, deadlineMillis)
                .unknown(unknown)
                .toBytes();
    }

    /// @throws MalformedMessageException for bytes that are no ticket, or of a newer major version
    public static JobTicket decode(byte[] bytes) {
        var in = new Fields.Reader(bytes);
        int version = 0;
        @Nullable ResponseId response = null;
        long offset = 0;
        int attempt = 0;
        var tenant = "";
        var readers = EnumSet.noneOf(Role.class);
        long deadline = 0;
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> version = in.version(VERSION);
                case 2 -> response = ResponseId.parse(in.text()).orElse(null);
                case 3 -> offset = in.number();
                case 4 -> attempt = in.small();
                case 5 -> tenant = in.text();
                case 6 -> Role.ofWireName(in.text()).ifPresent(readers::add);
                case 7 -> deadline = in.number();
                default -> in.skip();
            }
        }
        if (version != VERSION || response == null) {
            throw new MalformedMessageException("not a job ticket of version " + VERSION);
        }
        return new JobTicket(response, offset, attempt, tenant, readers, deadline, in.unknown());
    }
}
