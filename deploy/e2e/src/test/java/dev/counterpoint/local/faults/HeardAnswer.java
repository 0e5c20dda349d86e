package dev.counterpoint.local.faults;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/// All that a caller got for one request.
///
/// @param ask what was asked
/// @param outcome how it went
/// @param status of the answer to the request; 0 when none came
/// @param events the data of each event of a stream, `[DONE]` included
/// @param answer the last JSON object of a request that did not stream, or the error of a refused one; empty for none
record HeardAnswer(AskedQuestion ask, Outcome outcome, int status, List<String> events, String answer) {
    static final String DONE = "[DONE]";
    private static final String LOST = "reasoning_lost";

    enum Outcome {
        /// Came to its end.
        WHOLE,
        /// The connection broke after the answer had begun.
        BROKEN,
        /// The caller left.
        LEFT,
        /// By an answer with an error.
        REFUSED,
        /// No answer began: nobody listened, or the connection broke before.
        UNREACHED,
        /// The caller gave up waiting.
        GAVE_UP,
        /// A background response was accepted and later nobody knew it.
        VANISHED,
        /// The caller deleted it, and from then on nobody knew it.
        DELETED,
        /// The caller deleted it, and somebody knew it afterwards.
        REVIVED
    }

    HeardAnswer {
        events = List.copyOf(events);
    }

    /// The JSON of each event of a stream.
    List<JsonNode> chunks() {
        return events.stream()
                .filter(data -> !data.equals(DONE))
                .map(Question::tree)
                .toList();
    }

    /// The id of the response, as clients know it; empty when none was told.
    Optional<String> id() {
        return outcome == Outcome.REFUSED ? Optional.empty() : idIn(events.isEmpty() ? answer : events.getFirst());
    }

    /// Whether the model may not have seen what it thought before the call that this goes on with. The answer says so,
    /// so a caller that did not hear all of it does not know.
    boolean mayLackReasoning() {
        boolean told = answer.contains(LOST) || events.stream().anyMatch(event -> event.contains(LOST));
        return ask.question() == Question.FORECAST && (outcome != Outcome.WHOLE || told);
    }

    /// The id that an answer or a stream's first event tells.
    static Optional<String> idIn(String first) {
        if (first.isEmpty() || first.equals(DONE)) {
            return Optional.empty();
        }
        var tree = Question.tree(first);
        var id = tree.path("response").path("id").asText(tree.path("id").asText());
        return id.isEmpty() ? Optional.empty() : Optional.of(id);
    }
}
