package dev.counterpoint.gateway.api.conversations;

import dev.counterpoint.openai.conversations.AddItems;
import dev.counterpoint.openai.json.WireJson;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Checks bodies that add items to a conversation for tests of other packages.
public final class AddedItems {
    private AddedItems() {}

    /// @throws dev.counterpoint.openai.json.WireException that names what is wrong
    public static void check(String body) {
        var items = WireJson.read(body.getBytes(StandardCharsets.UTF_8), AddItems.class)
                .items();
        ConversationService.added(items, List.of());
    }
}
