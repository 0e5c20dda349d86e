package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.bus.wire.Wire;

/// Body of a `REISSUE`. In clear, because it holds no content; empty for an attempt like any other.
///
/// @param isolated true when the attempt is for a worker that runs nothing else meanwhile, because the worker of an
///     attempt before died or hung. All later attempts of the response are isolated too, whatever they say
public record Reissue(boolean isolated) {
    public byte[] encode() {
        return BusProto.Reissue.newBuilder()
                .setIsolated(Wire.flag(isolated))
                .build()
                .toByteArray();
    }

    /// @throws MalformedMessageException for bytes that are no such body
    public static Reissue decode(byte[] bytes) {
        return new Reissue(Wire.parse(BusProto.Reissue.parser(), bytes).getIsolated() != 0);
    }
}
