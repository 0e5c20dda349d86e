package dev.counterpoint.bus.job;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.Wire;

/// One record of the topic `control`: tells whoever runs `response` to stop, because the log has ended without it or an
/// attempt after `stopBefore` is open. Losing one wastes work and breaks nothing.
///
/// @param stopBefore attempts below this number stop; [Integer#MAX_VALUE] for all
public record StopCommand(ResponseId response, int stopBefore) {
    private static final int VERSION = 1;

    public byte[] encode() {
        return BusProto.StopCommand.newBuilder()
                .setVersion(VERSION)
                .setResponse(response.toString())
                .setStopBefore(stopBefore)
                .build()
                .toByteArray();
    }

    public static StopCommand decode(byte[] bytes) {
        var in = Wire.parse(BusProto.StopCommand.parser(), bytes, VERSION);
        return new StopCommand(Wire.response(in.getResponse()), Wire.small(in.getStopBefore()));
    }
}
