package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.gateway.store.StoredConversations;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.OutputItem;
import dev.counterpoint.openai.responses.ResponseObject;
import dev.counterpoint.openai.responses.ResponseStatus;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Adds turns to the conversations that they are part of. Thread-safe.
@ApplicationScoped
class ConversationTurns {
    private final StoredConversations conversations;
    private final StoredResponses rows;
    private final GatewayConfig config;

    ConversationTurns(StoredConversations conversations, StoredResponses rows, GatewayConfig config) {
        this.conversations = conversations;
        this.rows = rows;
        this.config = config;
    }

    /// Adds question and answer, within the transaction that writes the response's ending. A response that failed
    /// or was cancelled leaves the conversation as it was, so that a second try asks once; one that was deleted
    /// too.
    void add(ResponseObject response, String tenant) {
        var conversation = response.echo().conversation();
        if (conversation == null || !isSaid(response)) {
            return;
        }
        rows.findOfTenant(response.id(), tenant).ifPresent(row -> {
            boolean answered = StoredTurn.answers(response);
            var items = items(StoredTurn.read(row.inputItemsJson()).input().items(), response);
            conversations.append(
                    conversation.id(),
                    row.owner(),
                    answered
                            ? items.stream()
                                    .map(StoredConversations.NewItem::unsealed)
                                    .toList()
                            : items,
                    Instant.now().plus(config.conversationRetention()));
            if (answered) {
                conversations.forgetSealed(conversation.id(), row.owner());
                rows.forgetSealedOfConversation(conversation.id(), tenant);
            }
        });
    }

    private static boolean isSaid(ResponseObject response) {
        return response.status() == ResponseStatus.COMPLETED || response.status() == ResponseStatus.INCOMPLETE;
    }

    private static List<StoredConversations.NewItem> items(List<InputItem> input, ResponseObject response) {
        var items = new ArrayList<StoredConversations.NewItem>();
        StoredItemMapper.toStored(TurnIds.parseResponse(response.id()).orElseThrow(), input)
                .forEach(item -> items.add(StoredItemMapper.toRow(item.item(), item.id())));
        for (OutputItem item : response.output()) {
            items.add(StoredItemMapper.toRow(StoredItemMapper.toStored(item), Objects.requireNonNull(item.id())));
        }
        return items;
    }
}
