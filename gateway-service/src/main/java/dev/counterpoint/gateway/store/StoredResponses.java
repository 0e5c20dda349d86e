package dev.counterpoint.gateway.store;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.hibernate.Session;
import org.hibernate.query.NativeQuery;
import org.jspecify.annotations.Nullable;

/// The responses and chat completions that can be read back, deleted, or built upon. A project sees its own
/// only; another's is as absent as one that never was. Thread-safe; every method is one short transaction, so
/// never call one with an open stream's lock in hand.
///
/// Raw reasoning never comes here: reasoning items in the JSON carry `encrypted_content` and the safe summary
/// only. The caller sees to that. `encrypted_content` goes when its turn has been answered, which the caller says,
/// and after an hour at the latest.
///
/// When the database does not answer, methods throw within about two seconds; the error mapper makes that a
/// 503.
@ApplicationScoped
public class StoredResponses {
    public static final String IN_PROGRESS = "in_progress";

    /// Time for which sealed reasoning of an open turn is kept.
    public static final Duration SEALED_LIFETIME = Duration.ofHours(1);

    private static final int OLD_SEALED_AT_ONCE = 100;
    private static final String THERE = "id = ?1 and tenant = ?2 and deletedAt is null and expiresAt > instant";
    private static final String OWN = "project = ?3 and " + THERE;
    private static final String CHAIN = """
            with recursive turn (id, previous, depth) as (
                select id, previous_response_id, 1 from response
                where id = :id and tenant_id = :tenant and project = :project
                    and deleted_at is null and expires_at > now()
                union all
                select r.id, r.previous_response_id, depth + 1
                from response r join turn on r.id = turn.previous
                where r.tenant_id = :tenant and r.project = :project
                    and r.deleted_at is null and r.expires_at > now() and depth < :most)
            select r.* from response r join turn on r.id = turn.id order by turn.depth""";

    private static final String RESTORE = """
            insert into response (id, tenant_id, project, key_id, created_at, status, model, background, stored,
                previous_response_id, input_items, expires_at)
            values (?, ?, coalesce((select project from api_key where id = ?), ?), ?, ?, ?, ?, ?, ?, ?, ?, ?)
            on conflict do nothing""";

    private final ResponseRows rows;
    private final Sql sql;

    @Inject
    StoredResponses(ResponseRows rows, Sql sql) {
        this.rows = rows;
        this.sql = sql;
    }

    /// The place of a response in a conversation of [StoredConversations].
    ///
    /// @param before what of the conversation came before it: the items of lower positions
    public record Place(String conversation, long before) {}

    /// A response at its acceptance.
    ///
    /// @param id `resp_…` or `chatcmpl-…`
    /// @param owner project that asks
    /// @param key id of the API key
    /// @param model as the request named it
    /// @param background whether it goes on without a client
    /// @param stored false for a background response that is kept for polling only
    /// @param previousResponseId the response it builds upon, or null
    /// @param inputItemsJson the input as JSON text; comes back byte by byte
    /// @param expiresAt when the row goes
    /// @param place in a conversation, or null
    public record NewRow(
            String id,
            Owner owner,
            String key,
            Instant createdAt,
            String model,
            boolean background,
            boolean stored,
            @Nullable String previousResponseId,
            String inputItemsJson,
            Instant expiresAt,
            @Nullable Place place) {
        /// Says nothing of the content.
        @Override
        public String toString() {
            return "NewRow[id=%s, tenant=%s]".formatted(id, owner.tenant());
        }
    }

    /// A response as it stands.
    ///
    /// @param status OpenAI's word, such as `in_progress`
    /// @param responseJson the final response as it was given to [#finish], or null while it runs
    /// @param place in a conversation, or null
    public record Row(
            String id,
            Owner owner,
            String key,
            Instant createdAt,
            String status,
            String model,
            boolean background,
            boolean stored,
            @Nullable String previousResponseId,
            String inputItemsJson,
            @Nullable String responseJson,
            Instant expiresAt,
            @Nullable Place place) {
        /// Says nothing of the content.
        @Override
        public String toString() {
            return "Row[id=%s, tenant=%s, status=%s]".formatted(id, owner.tenant(), status);
        }
    }

    /// Another response is being made in a conversation, or one has ended there since its items were read.
    public static final class ConversationBusyException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /// Writes the row of a response that is about to run.
    ///
    /// @throws ConversationBusyException when its place in a conversation is not the last one any more
    @Transactional
    public void accept(NewRow row) {
        sql.transactionAs(row.owner().tenant());
        if (row.place() != null) {
            requireLast(row.place());
        }
        rows.persist(new ResponseRow(row));
    }

    /// The conversation's row stays locked until the new row can be seen, so of two only one finds the place free.
    private void requireLast(Place place) {
        var next = sql.first(
                Long.class, "select next_position from conversation where id = ? for update", place.conversation);
        boolean grown = next.isPresent() && next.get() != place.before;
        var running = "conversation = ?1 and finishedAt is null and deletedAt is null";
        if (grown || rows.count(running, place.conversation) > 0) {
            throw new ConversationBusyException();
        }
    }

    /// Writes the ending into the accepted row. The first ending stays. A deleted row stays deleted and blank;
    /// that it has ended is noted there too, so that what hangs on the first ending is done once for any row.
    ///
    /// @param status OpenAI's word, such as `completed`
    /// @return whether this is the first ending of a response that was accepted
    @Transactional
    public boolean finish(String id, String tenant, String status, String responseJson) {
        sql.transactionAs(tenant);
        var sealed = SealedContent.mayBeIn(responseJson);
        int finished =
                rows.update("""
                        status = case when deletedAt is null then ?1 else status end,
                        response = case when deletedAt is null then ?2 else response end,
                        finishedAt = instant,
                        sealedUntil = case when ?3 = true and deletedAt is null then ?4 else sealedUntil end
                        where id = ?5 and tenant = ?6 and finishedAt is null""", status, responseJson, sealed, Instant.now().plus(SEALED_LIFETIME), id, tenant);
        return finished == 1;
    }

    /// True if there is a row, be it of a response that was deleted.
    @Transactional
    public boolean exists(String id, String tenant) {
        sql.transactionAs(tenant);
        return rows.count("id = ?1 and tenant = ?2", id, tenant) > 0;
    }

    /// Writes a row that was lost. The log of its response does not say the project, so it is the key's.
    ///
    /// @return false when there is a row
    @Transactional
    public boolean restore(NewRow row) {
        int restored = sql.as(row.owner().tenant())
                .update(
                        RESTORE,
                        row.id(),
                        row.owner().tenant(),
                        row.key(),
                        Owner.DEFAULT_PROJECT,
                        row.key(),
                        row.createdAt(),
                        IN_PROGRESS,
                        row.model(),
                        row.background(),
                        row.stored(),
                        row.previousResponseId(),
                        row.inputItemsJson(),
                        row.expiresAt());
        return restored == 1;
    }

    /// Empty when the project has no such response, has deleted it, or it has expired.
    @Transactional
    public Optional<Row> find(String id, Owner owner) {
        sql.transactionAs(owner.tenant());
        return rows.find(OWN, id, owner.tenant(), owner.project())
                .firstResultOptional()
                .map(StoredResponses::row);
    }

    /// A response and those that it builds upon, the newest first. It stops before one that the project does not have
    /// (any more).
    ///
    /// @param most how many
    @Transactional
    public List<Row> chain(String id, Owner owner, int most) {
        sql.transactionAs(owner.tenant());
        return query(CHAIN)
                .setParameter("id", id)
                .setParameter("tenant", owner.tenant())
                .setParameter("project", owner.project())
                .setParameter("most", most)
                .getResultList()
                .stream()
                .map(StoredResponses::row)
                .toList();
    }

    /// The same for the gateway's own work on a response that it knows from its log, which does not say the project.
    @Transactional
    public Optional<Row> findOfTenant(String id, String tenant) {
        sql.transactionAs(tenant);
        return rows.find(THERE, id, tenant).firstResultOptional().map(StoredResponses::row);
    }

    /// Blanks the content at once and for good.
    ///
    /// @return false when [#find] would not have found it
    @Transactional
    public boolean delete(String id, Owner owner) {
        sql.transactionAs(owner.tenant());
        var blank = "deletedAt = instant, inputItems = null, response = null, previousResponseId = null where ";
        if (rows.update(blank + OWN, id, owner.tenant(), owner.project()) == 0) {
            return false;
        }
        sql.update("delete from completion_metadata where completion_id = ?", id);
        return true;
    }

    /// Takes the sealed reasoning out of responses of one tenant and of all that came before them: their turn has
    /// been answered. Doing it again changes nothing.
    ///
    /// @param newest ids of the responses to begin with; ones that are not there count for nothing
    @Transactional
    public void forgetSealed(List<String> newest, String tenant) {
        sql.transactionAs(tenant);
        query("""
                with recursive turn (id, previous, depth) as (
                    select id, previous_response_id, 1 from response where id in (:newest) and tenant_id = :tenant
                    union all
                    select r.id, r.previous_response_id, depth + 1
                    from response r join turn on r.id = turn.previous
                    where r.tenant_id = :tenant and depth < 1000)
                select * from response where id in (select id from turn) and sealed_until is not null
                order by id for update""")
                .setParameter("newest", newest)
                .setParameter("tenant", tenant)
                .getResultList()
                .forEach(ResponseRow::forgetSealed);
    }

    /// Does the same as [#forgetSealed] for all responses of a conversation.
    @Transactional
    public void forgetSealedOfConversation(String conversation, String tenant) {
        sql.transactionAs(tenant);
        query("""
                select * from response where conversation_id = :conversation and tenant_id = :tenant
                    and sealed_until is not null
                order by id for update""")
                .setParameter("conversation", conversation)
                .setParameter("tenant", tenant)
                .getResultList()
                .forEach(ResponseRow::forgetSealed);
    }

    /// Which of these have ended, deleted ones included.
    ///
    /// @param ids of responses of any tenant
    public List<String> ended(List<String> ids) {
        return sql.as(Sql.EVERY_TENANT)
                .list(String.class, "select id from response where id = any (?) and finished_at is not null", ids);
    }

    /// Whether one of these has ended as failed and is not deleted.
    ///
    /// @param ids of responses of any tenant
    public boolean anyFailed(List<String> ids) {
        return !sql.as(Sql.EVERY_TENANT).list(String.class, """
                        select id from response
                        where id = any (?) and status = 'failed' and finished_at is not null and deleted_at is null""", ids).isEmpty();
    }

    /// Some responses that have not ended although they were accepted long ago, in the order of their ids; deleted
    /// ones are none of these.
    ///
    /// @param before when they were accepted at the latest
    /// @param after the last id of those that the caller has seen; empty for none
    /// @param most how many
    @Transactional
    public List<Row> unended(Instant before, String after, int most) {
        sql.transactionAs(Sql.EVERY_TENANT);
        return rows
                .find(
                        "finishedAt is null and deletedAt is null and createdAt < ?1 and id > ?2 order by id",
                        before,
                        after)
                .page(0, most)
                .stream()
                .map(StoredResponses::row)
                .toList();
    }

    /// Some responses that have not ended and were accepted by none of these gateways, in the order of their ids; the
    /// rest as of [#unended].
    ///
    /// @param gateways names of processes
    public List<String> leftBehind(Instant before, Collection<String> gateways, String after, int most) {
        return sql.as(Sql.EVERY_TENANT).list(String.class, """
                select id from response
                where finished_at is null and deleted_at is null and created_at < ? and id > ?
                    and gateway <> all (?)
                order by id limit ?""", before, after, gateways, most);
    }

    /// A response that has not ended, whoever has it.
    @Transactional
    public Optional<Row> unended(String id) {
        sql.transactionAs(Sql.EVERY_TENANT);
        return rows.find("id = ?1 and finishedAt is null and deletedAt is null", id)
                .firstResultOptional()
                .map(StoredResponses::row);
    }

    @Produces
    @Singleton
    BatchTask expired() {
        return BatchTask.deleting("response", "expires_at <= now()", sql);
    }

    /// Takes sealed reasoning away that no answer came to take.
    @Produces
    @Singleton
    BatchTask oldSealed() {
        return new BatchTask("forget-sealed-of-responses", OLD_SEALED_AT_ONCE, this::forgetOldSealed);
    }

    private int forgetOldSealed(int most) {
        sql.transactionAs(Sql.EVERY_TENANT);
        var query = "select * from response where sealed_until <= now()"
                + " order by sealed_until limit :most for update skip locked";
        var old = query(query).setParameter("most", most).getResultList();
        old.forEach(ResponseRow::forgetSealed);
        return old.size();
    }

    private NativeQuery<ResponseRow> query(String query) {
        return rows.getEntityManager().unwrap(Session.class).createNativeQuery(query, ResponseRow.class);
    }

    private static Row row(ResponseRow row) {
        var sealedUntil = row.sealedUntil;
        boolean old = sealedUntil != null && !sealedUntil.isAfter(Instant.now());
        var input = old ? SealedContent.withoutIfAny(row.inputItems) : row.inputItems;
        return new Row(
                row.id,
                new Owner(row.tenant, row.project),
                row.key,
                row.createdAt,
                row.status,
                row.model,
                row.background,
                row.stored,
                row.previousResponseId,
                input == null ? "[]" : input,
                old ? SealedContent.withoutIfAny(row.response) : row.response,
                row.expiresAt,
                row.place());
    }
}
