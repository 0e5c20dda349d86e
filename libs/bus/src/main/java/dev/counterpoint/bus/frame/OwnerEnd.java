package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.wire.Fields;
import dev.counterpoint.bus.wire.MalformedMessageException;

/// Body of an `OWNER_END`: why no worker ends this response. In clear, because it holds no content.
public record OwnerEnd(Reason reason) {
    /// Numbers are on the wire and never change.
    public enum Reason {
        /// The client went away or asked for it.
        CANCELLED(1),
        /// The deadline passed.
        EXPIRED(2),
        /// Every attempt was lost.
        ATTEMPTS_EXHAUSTED(3),
        /// The job never reached the queue.
        NOT_QUEUED(4);

        private final int number;

        Reason(int number) {
            this.number = number;
        }

        static Reason of(int number) {
            for (var reason : values()) {
                if (reason.number == number) {
                    return reason;
                }
            }
            return ATTEMPTS_EXHAUSTED;
        }
    }

    public byte[] encode() {
        return new Fields.Writer().number(1, reason.number).toBytes();
    }

    /// @throws MalformedMessageException for bytes that are no such body
    public static OwnerEnd decode(byte[] bytes) {
        var in = new Fields.Reader(bytes);
        var reason = Reason.ATTEMPTS_EXHAUSTED;
        for (int field = in.next(); field != 0; field = in.next()) {
            if (field == 1) {
                reason = Reason.of(in.small());
            } else {
                in.skip();
            }
        }
        return new OwnerEnd(reason);
    }
}
