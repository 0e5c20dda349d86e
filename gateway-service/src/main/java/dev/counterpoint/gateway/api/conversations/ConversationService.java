package dev.counterpoint.gateway.api.conversations;

import dev.counterpoint.gateway.api.paging.Page;
import dev.counterpoint.gateway.api.responses.InputItems;
import dev.counterpoint.gateway.api.responses.StoredItemMapper;
import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.request.RequestRules;
import dev.counterpoint.gateway.store.Owner;
import dev.counterpoint.gateway.store.StoredConversations;
import dev.counterpoint.gateway.tenancy.Caller;
import dev.counterpoint.openai.conversations.ConversationObject;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.ItemList;
import dev.counterpoint.openai.responses.StoredItem;
import dev.counterpoint.servicekit.ProblemException;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A project's conversations. A conversation of another project is a 404, like one that does not exist. Thread-safe.
@ApplicationScoped
class ConversationService {
    static final String ITEMS = "items";
    private static final int ITEMS_MAX = 20;
    private static final String ID = "conv_";

    private final StoredConversations rows;
    private final GatewayConfig config;

    ConversationService(StoredConversations rows, GatewayConfig config) {
        this.rows = rows;
        this.config = config;
    }

    /// @throws dev.counterpoint.openai.json.WireException that names what is wrong
    ConversationObject create(Caller caller, @Nullable Map<String, String> metadata, List<InputItem> items) {
        RequestRules.metadata(metadata);
        var added = added(items, List.of());
        var id = ID + random();
        var owner = caller.owner();
        var now = Instant.now();
        var expiresAt = now.plus(config.conversationRetention());
        var row = new StoredConversations.NewConversation(id, owner, caller.key(), now, json(metadata), expiresAt);
        QuarkusTransaction.requiringNew().run(() -> {
            rows.create(row);
            rows.append(id, owner, kept(named(added)), expiresAt);
        });
        return find(id, owner);
    }

    ConversationObject find(String id, Owner owner) {
        return rows.find(id, owner).map(ConversationService::shown).orElseThrow(() -> missing(id));
    }

    ConversationObject update(String id, Owner owner, @Nullable Map<String, String> metadata) {
        RequestRules.metadata(metadata);
        if (!rows.update(id, owner, json(metadata))) {
            throw missing(id);
        }
        return find(id, owner);
    }

    void delete(String id, Owner owner) {
        if (!rows.delete(id, owner)) {
            throw missing(id);
        }
    }

    /// Adds items at the end.
    ItemList add(String id, Owner owner, List<InputItem> items) {
        if (items.isEmpty()) {
            throw RequestRules.invalid(ITEMS, "the list is empty.");
        }
        var earlier = rows.before(id, owner, Long.MAX_VALUE).stream()
                .map(StoredItemMapper::toInput)
                .toList();
        var named = named(added(items, earlier));
        if (!rows.append(id, owner, kept(named), Instant.now().plus(config.conversationRetention()))) {
            throw missing(id);
        }
        var ids = List.copyOf(named.keySet());
        return new ItemList(List.copyOf(named.values()), ids.getFirst(), ids.getLast(), false);
    }

    ItemList items(String id, Owner owner, Page page) {
        find(id, owner);
        var after = page.after() == null
                ? null
                : rows.item(id, page.after(), owner)
                        .orElseThrow(Page::unknownAfter)
                        .position();
        var part = new StoredConversations.Part(after, page.descending(), page.fetch());
        var entries = page.of(rows.part(id, owner, part));
        return new ItemList(
                entries.shown().stream().map(StoredItemMapper::fromRow).toList(),
                entries.firstId(StoredConversations.Item::id),
                entries.lastId(StoredConversations.Item::id),
                entries.more());
    }

    StoredItem item(String id, String item, Owner owner) {
        find(id, owner);
        return rows.item(id, item, owner).map(StoredItemMapper::fromRow).orElseThrow(() -> missingItem(item));
    }

    /// @return the conversation without it
    ConversationObject deleteItem(String id, String item, Owner owner) {
        var conversation = find(id, owner);
        if (!rows.deleteItem(id, item, owner)) {
            throw missingItem(item);
        }
        return conversation;
    }

    static List<InputItem> added(List<InputItem> items, List<InputItem> earlier) {
        if (items.size() > ITEMS_MAX) {
            throw RequestRules.invalid(ITEMS, "at most " + ITEMS_MAX + " are taken at once.");
        }
        return InputItems.added(items, earlier, ITEMS);
    }

    /// Items by their ids, in order.
    private static Map<String, StoredItem> named(List<InputItem> items) {
        var named = new LinkedHashMap<String, StoredItem>();
        for (var item : items) {
            var id = StoredItemMapper.idPrefix(item) + "_" + random();
            named.put(id, StoredItemMapper.toStored(item, id));
        }
        return named;
    }

    private static List<StoredConversations.NewItem> kept(Map<String, StoredItem> items) {
        return items.entrySet().stream()
                .map(item -> StoredItemMapper.toRow(item.getValue(), item.getKey()))
                .toList();
    }

    private static String random() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    private static @Nullable String json(@Nullable Map<String, String> metadata) {
        return metadata == null ? null : WireJson.write(metadata);
    }

    private static ConversationObject shown(StoredConversations.Conversation row) {
        var metadata = row.metadataJson();
        return new ConversationObject(row.id(), row.createdAt(), metadata == null ? Map.of() : metadata(metadata));
    }

    private static Map<String, String> metadata(String json) {
        var metadata = new LinkedHashMap<String, String>();
        WireJson.parse(json.getBytes(StandardCharsets.UTF_8))
                .properties()
                .forEach(pair -> metadata.put(pair.getKey(), pair.getValue().asText()));
        return metadata;
    }

    private static ProblemException missing(String id) {
        return new ProblemException(Problem.notFound("Conversation with id '" + id + "'"));
    }

    private static ProblemException missingItem(String id) {
        return new ProblemException(Problem.notFound("Item with id '" + id + "'"));
    }
}
