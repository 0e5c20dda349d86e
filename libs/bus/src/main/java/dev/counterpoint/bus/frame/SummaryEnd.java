package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.wire.Fields;
import dev.counterpoint.bus.wire.MalformedMessageException;

/// Body of a `SUMMARY_END`, sealed under the visible key of its nonce: the reasoning up to the frame's `message` is
/// summed up.
///
/// @param withheld whether nothing could be said of it though there was something to say
public record SummaryEnd(boolean withheld) {
    public byte[] encode() {
        return new Fields.Writer().flag(1, withheld).toBytes();
    }

    /// @throws MalformedMessageException for bytes that are no such body
    public static SummaryEnd decode(byte[] bytes) {
        var in = new Fields.Reader(bytes);
        boolean withheld = false;
        for (int field = in.next(); field != 0; field = in.next()) {
            if (field == 1) {
                withheld = in.flag();
            } else {
                in.skip();
            }
        }
        return new SummaryEnd(withheld);
    }
}
