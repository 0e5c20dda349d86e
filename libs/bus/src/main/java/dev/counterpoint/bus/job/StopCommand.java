package dev.counterpoint.bus.job;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.wire.FieldReader;
import dev.counterpoint.bus.wire.FieldWriter;
import dev.counterpoint.bus.wire.MalformedMessageException;

/// One record of the topic `control`: tells whoever runs `response` to stop, because the log has ended without it or an
/// attempt after `stopBefore` is open. Losing one wastes work and breaks nothing.
///
/// @param stopBefore attempts below this number stop; [Integer#MAX_VALUE] for all
public record StopCommand(ResponseId response, int stopBefore) {
    private static final int VERSION = 1;

    public byte[] encode() {
        return new FieldWriter()
                .number(1, VERSION)
                .text(2, response.toString())
                .number(3, stopBefore)
                .toBytes();
    }

    /// @throws MalformedMessageException for bytes that are no such record, or of a newer major version
    public static StopCommand decode(byte[] bytes) {
        var in = new FieldReader(bytes, VERSION);
        return new StopCommand(in.response(2), in.small(3));
    }
}
