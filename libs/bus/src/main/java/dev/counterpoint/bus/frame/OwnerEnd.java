package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.Numbered;
import dev.counterpoint.bus.wire.Wire;

/// Body of an `OWNER_END`: the reason why its owner ends the response. In clear, because it holds no content.
public record OwnerEnd(Reason reason) {
    /// Positions are on the wire and never change.
    public enum Reason implements Numbered {
        /// The client went away or asked for it.
        CANCELLED,
        EXPIRED,
        /// Every attempt was lost.
        ATTEMPTS_EXHAUSTED,
        /// The job never reached the queue.
        NOT_QUEUED,
        /// Two of its workers died or hung before a token.
        CRASHED_WORKER,
        /// Its log was lost with the bus; no log has it.
        LOST_WITH_BUS;

        @Override
        public int number() {
            return ordinal() + 1;
        }
    }

    public byte[] encode() {
        return BusProto.OwnerEnd.newBuilder().setReason(reason.number()).build().toByteArray();
    }

    public static OwnerEnd decode(byte[] bytes) {
        var in = Wire.parse(BusProto.OwnerEnd.parser(), bytes);
        return new OwnerEnd(Wire.constant(in.getReason(), Reason.values(), Reason.ATTEMPTS_EXHAUSTED));
    }
}
