package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.store.SealedContent;
import dev.counterpoint.gateway.turn.EventFormat;
import dev.counterpoint.gateway.turn.TurnEnding;
import dev.counterpoint.gateway.turn.TurnRefusals;
import dev.counterpoint.openai.json.SseFrame;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.StreamEvent;
import java.util.List;
import java.util.Optional;

/// Events of a response as a client reads them.
///
/// @param atOnce whether the first events do not wait for the model, so that nothing can be refused any more
/// @param startingAfter number of the last event that the client has, -1 for none
/// @param encrypted whether reasoning is shown in its sealed form too
record ResponseEventFormat(boolean atOnce, long startingAfter, boolean encrypted) implements EventFormat<StreamEvent> {
    /// The member of a request that holds the conversation.
    static final String INPUT = "input";

    @Override
    public List<byte[]> blocks(StreamEvent event) {
        if (event.sequenceNumber() <= startingAfter) {
            return List.of();
        }
        boolean mayHold = event instanceof StreamEvent.Lifecycle || event instanceof StreamEvent.Item;
        var shown = mayHold && !encrypted ? SealedContent.without(WireJson.tree(event)) : event;
        return List.of(SseFrame.event(event.type(), shown));
    }

    @Override
    public Optional<Problem> refusal(TurnEnding ending) {
        return atOnce ? Optional.empty() : TurnRefusals.mistake(ending, INPUT);
    }
}
