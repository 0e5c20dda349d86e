package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.turn.EventFormat;
import dev.counterpoint.gateway.turn.TurnEnding;
import dev.counterpoint.gateway.turn.TurnRefusals;
import dev.counterpoint.openai.json.SseFrame;
import dev.counterpoint.openai.responses.StreamEvent;
import java.util.List;
import java.util.Optional;

/// Events of a response as a client reads them.
///
/// @param atOnce whether the first events do not wait for the model, so that nothing can be refused any more
/// @param startingAfter number of the last event that the client has, -1 for none
record ResponseEventFormat(boolean atOnce, long startingAfter) implements EventFormat<StreamEvent> {
    static final ResponseEventFormat FOREGROUND = new ResponseEventFormat(false, -1);
    static final ResponseEventFormat BACKGROUND = new ResponseEventFormat(true, -1);
    /// The member of a request that holds the conversation.
    static final String INPUT = "input";

    @Override
    public List<byte[]> blocks(StreamEvent event) {
        return event.sequenceNumber() > startingAfter ? List.of(SseFrame.event(event.type(), event)) : List.of();
    }

    @Override
    public Optional<Problem> refusal(TurnEnding ending) {
        return atOnce ? Optional.empty() : TurnRefusals.mistake(ending, INPUT);
    }
}
