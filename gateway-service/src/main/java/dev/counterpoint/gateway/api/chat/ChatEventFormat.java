package dev.counterpoint.gateway.api.chat;

import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.turn.EventFormat;
import dev.counterpoint.gateway.turn.TurnEnding;
import dev.counterpoint.gateway.turn.TurnRefusals;
import dev.counterpoint.openai.chat.ChatChunk;
import dev.counterpoint.openai.json.SseFrame;
import java.util.List;
import java.util.Optional;

/// Chunks of a completion as a client reads them.
record ChatEventFormat() implements EventFormat<ChatChunk> {
    /// The member of a request that holds the conversation.
    static final String MESSAGES = "messages";

    @Override
    public List<byte[]> blocks(ChatChunk chunk) {
        return List.of(SseFrame.data(chunk));
    }

    @Override
    public Optional<Problem> refusal(TurnEnding ending) {
        return TurnRefusals.of(ending, MESSAGES);
    }

    /// Chunks cannot report a failure, so after the first chunk an error replaces the next one.
    @Override
    public List<byte[]> lastWords(TurnEnding ending) {
        return refusal(ending).map(Problem::body).map(SseFrame::data).stream().toList();
    }
}
