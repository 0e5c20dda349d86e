package dev.counterpoint.bus.job;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.wire.Fields;
import dev.counterpoint.bus.wire.MalformedMessageException;
import org.jspecify.annotations.Nullable;

/// One record of the topic `control`: tells whoever runs `response` to stop, because the log has ended without it or an
/// attempt after `stopBefore` is open. Losing one wastes work and breaks nothing.
///
/// @param stopBefore attempts below this number stop; [Integer#MAX_VALUE] for all
public record Control(ResponseId response, int stopBefore) {
    private static final int VERSION = 1;

    public byte[] encode() {
        return new Fields.Writer()
                .number(1, VERSION)
                .text(2, response.toString())
                .number(3, stopBefore)
                .toBytes();
    }

    /// @throws MalformedMessageException for bytes that are no such record, or of a newer major version
    public static Control decode(byte[] bytes) {
        var in = new Fields.Reader(bytes);
        int version = 0;
        @Nullable ResponseId response = null;
        int stopBefore = 0;
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> version = in.version(VERSION);
                case 2 -> response = ResponseId.parse(in.text()).orElse(null);
                case 3 -> stopBefore = in.small();
                default -> in.skip();
            }
        }
        if (version != VERSION || response == null) {
            throw new MalformedMessageException("not a control record of version " + VERSION);
        }
        return new Control(response, stopBefore);
    }
}
