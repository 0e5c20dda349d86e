package dev.counterpoint.gateway.store;

import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SubjectTokens;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Conversations and their items. A project sees its own only; another's is as absent as one that never was.
/// Thread-safe; every method is one short transaction, or part of the caller's.
///
/// Items of a conversation have positions that only grow, in the order in which they become visible: whoever has seen a
/// position has seen all lower ones that there will ever be. Raw reasoning never comes here; sealed reasoning goes when
/// its turn has been answered, which the caller says, and after an hour at the latest.
@ApplicationScoped
public class StoredConversations {
    private static final int OLD_SEALED_AT_ONCE = 500;
    private static final String OWN_ITEM = """
            select i.id, i.position, i.item, case when i.sealed_until > now() then i.sealed else null end
            from conversation_item i join conversation c on c.id = i.conversation_id
            where c.tenant_id = ? and c.project = ? and c.expires_at > now()
            """;

    private final Sql sql;
    private final SubjectTokens tokens;

    StoredConversations(Sql sql, KeyRing keys) {
        this.sql = sql;
        tokens = keys.subjectTokens();
    }

    /// @param id `conv_…`
    /// @param owner project that it belongs to
    /// @param key id of the API key that makes it
    /// @param metadataJson as JSON, or null
    /// @param expiresAt when it goes if nothing is added before
    public record NewConversation(
            String id,
            Owner owner,
            String key,
            Instant createdAt,
            @Nullable String metadataJson,
            Instant expiresAt) {}

    /// @param createdAt seconds since 1970
    /// @param metadataJson as JSON, or null
    /// @param nextPosition of the item that comes next; all there are have lower ones
    public record Conversation(
            String id, long createdAt, @Nullable String metadataJson, long nextPosition) {}

    /// An item to be kept.
    ///
    /// @param id taken by no other item of any conversation
    /// @param json in the form in which it is shown, with its id, without sealed reasoning
    /// @param sealed the sealed reasoning, or null
    public record NewItem(String id, String json, @Nullable String sealed) {
        /// The same without sealed reasoning.
        public NewItem unsealed() {
            return new NewItem(id, json, null);
        }

        /// Says nothing of the content.
        @Override
        public String toString() {
            return "NewItem[id=" + id + "]";
        }
    }

    /// An item that is kept.
    ///
    /// @param position grows in the order of the conversation
    /// @param json as it was given
    /// @param sealed the sealed reasoning, or null when there was none or its time is over
    public record Item(
            String id, long position, String json, @Nullable String sealed) {
        /// Says nothing of the content.
        @Override
        public String toString() {
            return "Item[id=" + id + "]";
        }
    }

    /// A part of a conversation.
    ///
    /// @param after position that the part begins behind, in its order; null for the beginning
    /// @param descending whether the newest come first
    /// @param most how many
    public record Part(@Nullable Long after, boolean descending, int most) {}

    public void create(NewConversation conversation) {
        sql.as(conversation.owner.tenant())
                .update(
                        """
                        insert into conversation (
                            id, tenant_id, project, created_at, metadata, expires_at, subject_token)
                        values (?, ?, ?, ?, ?, ?, ?)""",
                        conversation.id,
                        conversation.owner.tenant(),
                        conversation.owner.project(),
                        conversation.createdAt,
                        conversation.metadataJson,
                        conversation.expiresAt,
                        tokens.of(conversation.owner.tenant(), "", conversation.key));
    }

    public Optional<Conversation> find(String id, Owner owner) {
        return sql.as(owner.tenant()).first(Conversation.class, """
                select id, cast(floor(extract(epoch from created_at)) as bigint), metadata, next_position
                from conversation
                where id = ? and tenant_id = ? and project = ? and expires_at > now()""", id, owner.tenant(), owner.project());
    }

    /// @return false when the project has no such conversation
    public boolean update(String id, Owner owner, @Nullable String metadataJson) {
        var update = """
                update conversation set metadata = ?
                where id = ? and tenant_id = ? and project = ? and expires_at > now()""";
        return sql.as(owner.tenant()).update(update, metadataJson, id, owner.tenant(), owner.project()) == 1;
    }

    /// Its items go with it.
    ///
    /// @return false when the project has no such conversation
    public boolean delete(String id, Owner owner) {
        var delete = """
                delete from conversation
                where id = ? and tenant_id = ? and project = ? and expires_at > now()""";
        return sql.as(owner.tenant()).update(delete, id, owner.tenant(), owner.project()) == 1;
    }

    /// Adds items at the end, all or none, one after another.
    ///
    /// @param expiresAt when the conversation goes if nothing more is added
    /// @return false when the project has no such conversation any more; then nothing is added
    @Transactional
    public boolean append(String id, Owner owner, List<NewItem> items, Instant expiresAt) {
        var end = sql.as(owner.tenant())
                .first(Long.class, """
                update conversation set next_position = next_position + ?, expires_at = ?
                where id = ? and tenant_id = ? and project = ? and expires_at > now()
                returning next_position""", items.size(), expiresAt, id, owner.tenant(), owner.project());
        if (end.isEmpty()) {
            return false;
        }
        long position = end.get() - items.size();
        for (var item : items) {
            insert(sql.as(owner.tenant()), id, position, item);
            position++;
        }
        return true;
    }

    private static void insert(Sql as, String conversation, long position, NewItem item) {
        as.update(
                """
                insert into conversation_item (conversation_id, position, id, item, sealed, sealed_until)
                values (?, ?, ?, ?, ?, ?)""",
                conversation,
                position,
                item.id,
                item.json,
                item.sealed,
                item.sealed == null ? null : Instant.now().plus(StoredResponses.SEALED_LIFETIME));
    }

    /// The items of a conversation before a position, in its order; none when the project has no such conversation.
    public List<Item> before(String conversation, Owner owner, long position) {
        return sql.as(owner.tenant())
                .list(
                        Item.class,
                        OWN_ITEM + "and c.id = ? and i.position < ? order by i.position",
                        owner.tenant(),
                        owner.project(),
                        conversation,
                        position);
    }

    /// A part of a conversation, in the order that it wants.
    public List<Item> part(String conversation, Owner owner, Part part) {
        var rest = part.descending
                ? "and c.id = ? and i.position < ? order by i.position desc limit ?"
                : "and c.id = ? and i.position > ? order by i.position limit ?";
        long edge = part.descending ? Long.MAX_VALUE : -1;
        var after = Objects.requireNonNullElse(part.after, edge);
        return sql.as(owner.tenant())
                .list(Item.class, OWN_ITEM + rest, owner.tenant(), owner.project(), conversation, after, part.most);
    }

    /// An item of any of the project's conversations.
    public Optional<Item> item(String id, Owner owner) {
        return sql.as(owner.tenant()).first(Item.class, OWN_ITEM + "and i.id = ?", owner.tenant(), owner.project(), id);
    }

    /// An item of one of the project's conversations.
    public Optional<Item> item(String conversation, String id, Owner owner) {
        return sql.as(owner.tenant())
                .first(
                        Item.class,
                        OWN_ITEM + "and i.id = ? and c.id = ?",
                        owner.tenant(),
                        owner.project(),
                        id,
                        conversation);
    }

    /// @return false when there is no such item in that conversation of the project
    public boolean deleteItem(String conversation, String id, Owner owner) {
        var delete = """
                delete from conversation_item i using conversation c
                where c.id = i.conversation_id and c.tenant_id = ? and c.project = ? and c.expires_at > now()
                    and i.id = ? and c.id = ?""";
        return sql.as(owner.tenant()).update(delete, owner.tenant(), owner.project(), id, conversation) == 1;
    }

    /// Takes the sealed reasoning out of a conversation: its turn has been answered.
    public void forgetSealed(String conversation, Owner owner) {
        sql.as(owner.tenant()).update("""
                update conversation_item i set sealed = null, sealed_until = null from conversation c
                where c.id = i.conversation_id and c.tenant_id = ? and c.project = ? and c.id = ?
                    and i.sealed_until is not null""", owner.tenant(), owner.project(), conversation);
    }

    /// Takes sealed reasoning away that no answer came to take.
    @Produces
    @Singleton
    BatchTask oldSealed() {
        var forget = """
                update conversation_item set sealed = null, sealed_until = null where (conversation_id, position) in (
                    select conversation_id, position from conversation_item where sealed_until <= now()
                    limit ? for update skip locked)""";
        return new BatchTask(
                "forget-sealed-of-conversations",
                OLD_SEALED_AT_ONCE,
                most -> sql.as(Sql.EVERY_TENANT).update(forget, most));
    }

    @Produces
    @Singleton
    BatchTask expired() {
        return BatchTask.deleting("conversation", "expires_at <= now()", sql);
    }
}
