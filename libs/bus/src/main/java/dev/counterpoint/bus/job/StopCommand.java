package dev.counterpoint.bus.job;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.Wire;

/// One record of the topic `control`: orders the worker of `response` to stop, because its log has ended without it,
/// has an attempt after `stopBefore`, or holds a steer. Losing one wastes work and breaks nothing.
///
/// @param stopBefore attempts below this number stop; [Integer#MAX_VALUE] for all
/// @param steered whether the others end the response, because it is steered
public record StopCommand(ResponseId response, int stopBefore, boolean steered) {
    private static final int VERSION = 1;

    public StopCommand(ResponseId response, int stopBefore) {
        this(response, stopBefore, false);
    }

    /// Older workers take no notice of it.
    public static StopCommand atSteer(ResponseId response) {
        return new StopCommand(response, 0, true);
    }

    public byte[] encode() {
        return BusProto.StopCommand.newBuilder()
                .setVersion(VERSION)
                .setResponse(response.toString())
                .setStopBefore(stopBefore)
                .setSteered(steered)
                .build()
                .toByteArray();
    }

    public static StopCommand decode(byte[] bytes) {
        var in = Wire.parse(BusProto.StopCommand.parser(), bytes, VERSION);
        return new StopCommand(Wire.response(in.getResponse()), Wire.small(in.getStopBefore()), in.getSteered());
    }
}
