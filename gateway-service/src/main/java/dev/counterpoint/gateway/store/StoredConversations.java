package dev.counterpoint.gateway.store;

import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.hibernate.StatelessSession;
import org.hibernate.query.NativeQuery;
import org.jspecify.annotations.Nullable;

/// Conversations and their items. A tenant sees its own only; another's is as absent as one that never was.
/// Thread-safe; every method is one short transaction, or part of the caller's.
///
/// Items of a conversation have positions that only grow, in the order in which they become visible: whoever has seen a
/// position has seen all lower ones that there will ever be. Raw reasoning never comes here; sealed reasoning goes when
/// its turn has been answered, which the caller says, and after an hour at the latest.
@ApplicationScoped
public class StoredConversations {
    private static final String ITEM =
            "i.id, i.position, i.item, case when i.sealed_until > now() then i.sealed else null end";
    private static final String OWN = " from conversation_item i join conversation c on c.id = i.conversation_id"
            + " where c.tenant_id = :tenant and c.expires_at > now() ";

    private final StatelessSession database;

    @Inject
    StoredConversations(StatelessSession database) {
        this.database = database;
    }

    /// @param id `conv_…`
    /// @param tenant id of the tenant that it belongs to
    /// @param metadataJson as JSON, or null
    /// @param expiresAt when it goes if nothing is added before
    public record NewConversation(
            String id,
            String tenant,
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

    @Transactional
    public void create(NewConversation conversation) {
        database.createNativeMutationQuery("""
                        insert into conversation (id, tenant_id, created_at, metadata, expires_at)
                        values (:id, :tenant, :created, :metadata, :expires)""")
                .setParameter("id", conversation.id)
                .setParameter("tenant", conversation.tenant)
                .setParameter("created", conversation.createdAt)
                .setParameter("metadata", conversation.metadataJson, String.class)
                .setParameter("expires", conversation.expiresAt)
                .executeUpdate();
    }

    @Transactional
    public Optional<Conversation> find(String id, String tenant) {
        return database.createNativeQuery("""
                        select id, cast(floor(extract(epoch from created_at)) as bigint), metadata, next_position
                        from conversation
                        where id = :id and tenant_id = :tenant and expires_at > now()""", Object[].class)
                .setParameter("id", id)
                .setParameter("tenant", tenant)
                .setTupleTransformer((columns, _) -> new Conversation(
                        (String) columns[0], (Long) columns[1], (@Nullable String) columns[2], (Long) columns[3]))
                .uniqueResultOptional();
    }

    /// @return false when the tenant has no such conversation
    @Transactional
    public boolean update(String id, String tenant, @Nullable String metadataJson) {
        return database.createNativeMutationQuery("""
                        update conversation set metadata = :metadata
                        where id = :id and tenant_id = :tenant and expires_at > now()""")
                        .setParameter("metadata", metadataJson, String.class)
                        .setParameter("id", id)
                        .setParameter("tenant", tenant)
                        .executeUpdate()
                == 1;
    }

    /// Its items go with it.
    ///
    /// @return false when the tenant has no such conversation
    @Transactional
    public boolean delete(String id, String tenant) {
        var delete = "delete from conversation where id = :id and tenant_id = :tenant and expires_at > now()";
        return database.createNativeMutationQuery(delete)
                        .setParameter("id", id)
                        .setParameter("tenant", tenant)
                        .executeUpdate()
                == 1;
    }

    /// Adds items at the end, all or none, one after another.
    ///
    /// @param expiresAt when the conversation goes if nothing more is added
    /// @return false when the tenant has no such conversation any more; then nothing is added
    @Transactional
    public boolean append(String id, String tenant, List<NewItem> items, Instant expiresAt) {
        var first = database.createNativeQuery("""
                        with taken as (
                            update conversation set next_position = next_position + :count, expires_at = :expires
                            where id = :id and tenant_id = :tenant and expires_at > now()
                            returning next_position)
                        select next_position from taken""", Long.class)
                .setParameter("count", items.size())
                .setParameter("expires", expiresAt)
                .setParameter("id", id)
                .setParameter("tenant", tenant)
                .uniqueResultOptional();
        long position = first.orElse(0L) - items.size();
        for (var item : first.isPresent() ? items : List.<NewItem>of()) {
            insert(id, position, item);
            position++;
        }
        return first.isPresent();
    }

    private void insert(String conversation, long position, NewItem item) {
        var until = item.sealed == null ? null : Instant.now().plus(StoredResponses.SEALED_LIFETIME);
        database.createNativeMutationQuery("""
                        insert into conversation_item (conversation_id, position, id, item, sealed, sealed_until)
                        values (:conversation, :position, :id, :item, :sealed, :until)""")
                .setParameter("conversation", conversation)
                .setParameter("position", position)
                .setParameter("id", item.id)
                .setParameter("item", item.json)
                .setParameter("sealed", item.sealed, String.class)
                .setParameter("until", until, Instant.class)
                .executeUpdate();
    }

    /// The items of a conversation before a position, in its order; none when the tenant has no such conversation.
    @Transactional
    public List<Item> before(String conversation, String tenant, long position) {
        return items(OWN + "and c.id = :conversation and i.position < :position order by i.position")
                .setParameter("tenant", tenant)
                .setParameter("conversation", conversation)
                .setParameter("position", position)
                .getResultList();
    }

    /// A part of a conversation, in the order that it wants.
    @Transactional
    public List<Item> part(String conversation, String tenant, Part part) {
        var after = part.descending ? "and i.position < :after " : "and i.position > :after ";
        var order = part.descending ? "desc" : "asc";
        long edge = part.descending ? Long.MAX_VALUE : -1;
        return items(OWN + "and c.id = :conversation " + after + "order by i.position " + order)
                .setParameter("tenant", tenant)
                .setParameter("conversation", conversation)
                .setParameter("after", part.after == null ? edge : part.after)
                .setMaxResults(part.most)
                .getResultList();
    }

    /// An item of any of the tenant's conversations.
    @Transactional
    public Optional<Item> item(String id, String tenant) {
        return items(OWN + "and i.id = :id")
                .setParameter("tenant", tenant)
                .setParameter("id", id)
                .uniqueResultOptional();
    }

    /// An item of one of the tenant's conversations.
    @Transactional
    public Optional<Item> item(String conversation, String id, String tenant) {
        return items(OWN + "and i.id = :id and c.id = :conversation")
                .setParameter("tenant", tenant)
                .setParameter("id", id)
                .setParameter("conversation", conversation)
                .uniqueResultOptional();
    }

    /// @return false when there is no such item in that conversation of the tenant
    @Transactional
    public boolean deleteItem(String conversation, String id, String tenant) {
        return database.createNativeMutationQuery("""
                        delete from conversation_item i using conversation c
                        where c.id = i.conversation_id and c.tenant_id = :tenant and c.expires_at > now()
                            and i.id = :id and c.id = :conversation""")
                        .setParameter("tenant", tenant)
                        .setParameter("id", id)
                        .setParameter("conversation", conversation)
                        .executeUpdate()
                == 1;
    }

    /// Takes the sealed reasoning out of a conversation: its turn has been answered.
    @Transactional
    public void forgetSealed(String conversation, String tenant) {
        database.createNativeMutationQuery("""
                        update conversation_item i set sealed = null, sealed_until = null from conversation c
                        where c.id = i.conversation_id and c.tenant_id = :tenant and c.id = :conversation
                            and i.sealed_until is not null""")
                .setParameter("tenant", tenant)
                .setParameter("conversation", conversation)
                .executeUpdate();
    }

    @Scheduled(every = "${gateway.housekeeping-interval:10m}", delayed = "1m")
    @RunOnVirtualThread
    @Transactional
    void forgetOldSealed() {
        var old = "update conversation_item set sealed = null, sealed_until = null where sealed_until <= now()";
        database.createNativeMutationQuery(old).executeUpdate();
    }

    @Scheduled(every = "${gateway.housekeeping-interval:10m}", delayed = "1m")
    @RunOnVirtualThread
    @Transactional
    void deleteExpired() {
        database.createNativeMutationQuery("delete from conversation where expires_at <= now()")
                .executeUpdate();
    }

    private NativeQuery<Item> items(String rest) {
        return database.createNativeQuery("select " + ITEM + rest, Object[].class)
                .setTupleTransformer((columns, _) -> new Item(
                        (String) columns[0], (Long) columns[1], (String) columns[2], (@Nullable String) columns[3]));
    }
}
