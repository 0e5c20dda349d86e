package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.gateway.store.SealedContent;
import dev.counterpoint.gateway.turn.EventFormat;
import dev.counterpoint.openai.json.SseFrame;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.StreamEvent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

/// Events of a response as a client reads them. The first come as soon as the request is safe and do not wait for the
/// model, so what only a worker finds wrong is the failure of a response, and no refusal.
///
/// @param startingAfter number of the last event that the client has, -1 for none
/// @param encrypted whether reasoning is shown in its sealed form too
record ResponseEventFormat(long startingAfter, boolean encrypted) implements EventFormat<StreamEvent> {
    /// The member of a request that holds the conversation.
    static final String INPUT = "input";

    @Override
    public List<byte[]> blocks(StreamEvent event) {
        return event.sequenceNumber() <= startingAfter
                ? List.of()
                : List.of(block(event, encrypted, shown -> SseFrame.event(event.type(), shown)));
    }

    /// An event in its frame, as far as the caller sees it.
    ///
    /// @param frame takes the event, or its JSON
    static byte[] block(StreamEvent event, boolean encrypted, Function<Object, byte[]> frame) {
        var block = frame.apply(event);
        boolean mayHold = event instanceof StreamEvent.Lifecycle || event instanceof StreamEvent.Item;
        return mayHold && !encrypted && SealedContent.mayBeIn(new String(block, StandardCharsets.ISO_8859_1))
                ? frame.apply(SealedContent.without(WireJson.tree(event)))
                : block;
    }

    @Override
    public boolean atOnce() {
        return true;
    }
}
