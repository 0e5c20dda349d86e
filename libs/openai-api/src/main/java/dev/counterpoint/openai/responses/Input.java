package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;

/// What the model is asked: one user text, or items.
public sealed interface Input {
    record Text(@JsonValue String text) implements Input {}

    record Items(@JsonValue List<InputItem> items) implements Input {
        public Items {
            items = List.copyOf(items);
        }
    }
}
