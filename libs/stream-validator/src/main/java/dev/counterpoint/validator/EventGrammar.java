package dev.counterpoint.validator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/// The rules of one API's streams, event by event.
sealed interface EventGrammar permits ResponsesGrammar, ChatGrammar {
    /// The required value of the `event:` line of this event; null when there must be none.
    @Nullable
    String eventName(ObjectNode event);

    void accept(ObjectNode event);

    /// Nothing more comes but `[DONE]`.
    void end();
}
