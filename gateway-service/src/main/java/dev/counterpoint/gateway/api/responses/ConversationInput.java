package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.openai.responses.InputItem;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The conversation as a model is told it.
///
/// @param prompt of the operator, before all
/// @param earlier what came before the request
/// @param own the request's own items, from the first that counts
/// @param from index of that one in the request's input
/// @param compaction what the response is to tell its caller stands for all this; null for nothing
record ConversationInput(
        List<InputItem> prompt,
        List<InputItem> earlier,
        List<InputItem> own,
        int from,
        @Nullable String compaction) {
    /// The conversation without the operator's prompt.
    List<InputItem> conversation() {
        return Stream.concat(earlier.stream(), own.stream()).toList();
    }
}
