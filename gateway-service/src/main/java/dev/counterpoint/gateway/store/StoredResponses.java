package dev.counterpoint.gateway.store;

import dev.counterpoint.gateway.config.GatewayIncarnation;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
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
    private static final String COLUMNS = """
            id, tenant_id, project, key_id, created_at, status, model, background, stored, previous_response_id,
            input_items, response, expires_at, sealed_until, conversation_id, conversation_before
            """;
    private static final String SELECT = "select " + COLUMNS + "from response where ";
    private static final String THERE = "id = ? and tenant_id = ? and deleted_at is null and expires_at > now()";
    private static final String OWN = THERE + " and project = ?";
    /// Takes the content away for good; the row stays as a tombstone.
    static final String BLANK = "deleted_at = now(), input_items = null, response = null, previous_response_id = null";

    private static final String UNENDED = "finished_at is null and deleted_at is null";
    private static final String CHAIN = """
            with recursive turn (id, tenant_id, project, previous, depth) as (
                select id, tenant_id, project, previous_response_id, 1 from response where %s
                union all
                select r.id, r.tenant_id, r.project, r.previous_response_id, depth + 1
                from response r join turn
                    on r.id = turn.previous and r.tenant_id = turn.tenant_id and r.project = turn.project
                where r.deleted_at is null and r.expires_at > now() and depth < ?)
            select %s from response join turn using (id, tenant_id, project) order by depth""".formatted(OWN, COLUMNS);

    private static final String INSERT = """
            insert into response (%s, gateway)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, null, ?, ?, ?, ?, ?)
            on conflict do nothing""".formatted(COLUMNS);

    private static final String FINISH = """
            update response set
                status = case when deleted_at is null then ? else status end,
                response = case when deleted_at is null then ? else response end,
                finished_at = now(),
                sealed_until = case when deleted_at is null then coalesce(?, sealed_until) else sealed_until end
            where id = ? and tenant_id = ? and finished_at is null""";

    private final Sql sql;

    public StoredResponses(Sql sql) {
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
    /// @param user the end user as the request names the user, empty for none; null when that is not known
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
            @Nullable Place place,
            @Nullable String user) {
        @Nullable
        Instant sealedUntil() {
            return SealedContent.mayBeIn(inputItemsJson) ? createdAt.plus(SEALED_LIFETIME) : null;
        }

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

    /// The columns of a row.
    private record Stored(
            String id,
            String tenant,
            String project,
            String key,
            Instant createdAt,
            String status,
            String model,
            boolean background,
            boolean stored,
            @Nullable String previousResponseId,
            @Nullable String inputItems,
            @Nullable String response,
            Instant expiresAt,
            @Nullable Instant sealedUntil,
            @Nullable String conversation,
            @Nullable Long before) {
        Row row() {
            boolean old = sealedUntil != null && !sealedUntil.isAfter(Instant.now());
            var input = old ? SealedContent.withoutIfAny(inputItems) : inputItems;
            return new Row(
                    id,
                    new Owner(tenant, project),
                    key,
                    createdAt,
                    status,
                    model,
                    background,
                    stored,
                    previousResponseId,
                    input == null ? "[]" : input,
                    old ? SealedContent.withoutIfAny(response) : response,
                    expiresAt,
                    conversation == null || before == null ? null : new Place(conversation, before));
        }
    }

    /// Writes the ending into the accepted row. The first ending stays. A deleted row stays deleted and blank;
    /// that it has ended is noted there too, so that what hangs on the first ending is done once for any row.
    ///
    /// @param status OpenAI's word, such as `completed`
    /// @return whether this is the first ending of a response that was accepted
    public boolean finish(String id, String tenant, String status, String responseJson) {
        return sql.as(tenant).update(FINISH, status, responseJson, sealedUntil(responseJson), id, tenant) == 1;
    }

    private static @Nullable Instant sealedUntil(String responseJson) {
        return SealedContent.mayBeIn(responseJson) ? Instant.now().plus(SEALED_LIFETIME) : null;
    }

    /// An ending that is written together with its charge.
    ///
    /// @param answered ids of the responses whose turn it answers
    public record Ending(String id, String status, String responseJson, List<String> answered) {
        public @Nullable Instant sealedUntil() {
            return StoredResponses.sealedUntil(responseJson);
        }

        /// Says nothing of the content.
        @Override
        public String toString() {
            return "Ending[id=" + id + "]";
        }
    }

    /// True if there is a row, be it of a response that was deleted.
    public boolean exists(String id, String tenant) {
        return sql.as(tenant)
                .first(Integer.class, "select 1 from response where id = ? and tenant_id = ?", id, tenant)
                .isPresent();
    }

    /// Writes a row that was lost. The log of its response does not say the project, so it is the key's.
    ///
    /// @return false when there is a row
    public boolean restore(NewRow row) {
        var project = sql.first(String.class, "select project from api_key where id = ?", row.key());
        var place = row.place();
        return sql.as(row.owner().tenant())
                        .update(
                                INSERT,
                                row.id(),
                                row.owner().tenant(),
                                project.orElse(Owner.DEFAULT_PROJECT),
                                row.key(),
                                row.createdAt(),
                                IN_PROGRESS,
                                row.model(),
                                row.background(),
                                row.stored(),
                                row.previousResponseId(),
                                row.inputItemsJson(),
                                row.expiresAt(),
                                row.sealedUntil(),
                                place == null ? null : place.conversation,
                                place == null ? null : place.before,
                                GatewayIncarnation.name())
                == 1;
    }

    /// Empty when the project has no such response, has deleted it, or it has expired.
    public Optional<Row> find(String id, Owner owner) {
        return first(owner.tenant(), OWN, id, owner.tenant(), owner.project());
    }

    /// A response and those that it builds upon, the newest first. It stops before one that the project does not have
    /// (any more).
    ///
    /// @param most how many
    public List<Row> chain(String id, Owner owner, int most) {
        return list(owner.tenant(), CHAIN, id, owner.tenant(), owner.project(), most);
    }

    /// The same for the gateway's own work on a response that it knows from its log, which does not say the project.
    public Optional<Row> findOfTenant(String id, String tenant) {
        return first(tenant, THERE, id, tenant);
    }

    /// Blanks the content at once and for good.
    ///
    /// @return false when [#find] would not have found it
    @Transactional
    public boolean delete(String id, Owner owner) {
        sql.transactionAs(owner.tenant());
        if (sql.update("update response set " + BLANK + " where " + OWN, id, owner.tenant(), owner.project()) == 0) {
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
        forget(
                """
                with recursive turn (id, previous, depth) as (
                    select id, previous_response_id, 1 from response where id = any (?) and tenant_id = ?
                    union all
                    select r.id, r.previous_response_id, depth + 1
                    from response r join turn on r.id = turn.previous
                    where r.tenant_id = ? and depth < 1000)
                """ + SELECT + "id in (select id from turn) and sealed_until is not null order by id for update",
                newest,
                tenant,
                tenant);
    }

    /// Does the same as [#forgetSealed] for all responses of a conversation.
    @Transactional
    public void forgetSealedOfConversation(String conversation, String tenant) {
        sql.transactionAs(tenant);
        var rest = "conversation_id = ? and tenant_id = ? and sealed_until is not null order by id for update";
        forget(SELECT + rest, conversation, tenant);
    }

    /// Takes the sealed reasoning out of the rows that a query locks, as part of the transaction at hand.
    /// Returns how many there were.
    private int forget(String query, Object... parameters) {
        var rows = sql.list(Stored.class, query, parameters);
        for (var row : rows) {
            sql.update(
                    "update response set input_items = ?, response = ?, sealed_until = null where id = ?",
                    SealedContent.withoutIfAny(row.inputItems),
                    SealedContent.withoutIfAny(row.response),
                    row.id);
        }
        return rows.size();
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
    public List<Row> unended(Instant before, String after, int most) {
        var some = SELECT + UNENDED + " and created_at < ? and id > ? order by id limit ?";
        return list(Sql.EVERY_TENANT, some, before, after, most);
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
    public Optional<Row> unended(String id) {
        return first(Sql.EVERY_TENANT, "id = ? and " + UNENDED, id);
    }

    private Optional<Row> first(String tenant, String condition, Object... parameters) {
        return list(tenant, SELECT + condition, parameters).stream().findFirst();
    }

    private List<Row> list(String tenant, String query, Object... parameters) {
        return sql.as(tenant).list(Stored.class, query, parameters).stream()
                .map(Stored::row)
                .toList();
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
        return forget(SELECT + "sealed_until <= now() order by sealed_until limit ? for update skip locked", most);
    }
}
