package dev.counterpoint.openai.conversations;

import dev.counterpoint.openai.responses.InputItem;
import java.util.List;

/// The body of `POST /v1/conversations/{id}/items`, at most 20 of them; the answer is an
/// [dev.counterpoint.openai.responses.ItemList].
public record AddItems(List<InputItem> items) {
    public AddItems {
        items = List.copyOf(items);
    }
}
