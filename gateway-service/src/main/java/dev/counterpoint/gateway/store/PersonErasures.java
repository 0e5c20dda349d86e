package dev.counterpoint.gateway.store;

import dev.counterpoint.bus.audit.Erase;
import dev.counterpoint.bus.audit.ErasedRows;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SubjectTokens;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The erasures of persons and tenants: how far they were read, which rows each deletes, and how many. An erasure
/// deletes rows that
/// were accepted before it; each batch counts the rows that it deletes. Thread-safe.
@ApplicationScoped
public class PersonErasures {
    private static final int ROWS_AT_ONCE = 100;
    private static final int FILLED_AT_ONCE = 50;
    /// Rows of responses that were accepted before an erasure may be written after it, while the bus knows them.
    private static final String LATE = "received_at > now() - interval '1 day'";

    private static final String DUE_LATE = """
            union all
            select id, tenant_id, true, subject_token = '' from person_erasure one
            where answered_at is not null and %s and (
                exists (
                    select from response r
                    where r.tenant_id = one.tenant_id and r.subject_token = one.subject_token
                        and r.created_at <= one.erased_at and r.deleted_at is null)
                or exists (
                    select from turn_reasoning t
                    where t.tenant_id = one.tenant_id and t.subject_token = one.subject_token
                        and t.accepted_at <= one.erased_at))
            """.formatted(LATE);

    private static final String DUE =
            "select id, tenant_id, false, subject_token = '' from person_erasure where answered_at is null " + DUE_LATE
                    + wholeTenant(DUE_LATE) + " and subject_token = '' limit ?";

    private static final String CONVERSATIONS = """
            delete from conversation where id in (
                select s.conversation_id from one, conversation_subject s
                where s.tenant_id = one.tenant_id and s.subject_token = one.subject_token and s.since <= one.erased_at
                union
                select c.id from one, conversation c
                where c.tenant_id = one.tenant_id and c.subject_token = one.subject_token
                    and c.created_at <= one.erased_at
                    and not exists (
                        select from conversation_subject s
                        where s.conversation_id = c.id and s.subject_token <> one.subject_token)
                limit ?)
            returning id""";

    private static final String RESPONSES = """
            with one as (select * from person_erasure where id = ?),
            doomed as (
                select r.id, r.response is null as running from one, response r
                where r.tenant_id = one.tenant_id and r.subject_token = one.subject_token
                    and r.created_at <= one.erased_at and r.deleted_at is null
                order by r.id limit ? for update of r),
            gone as (update response set %s where id in (select id from doomed) returning id),
            without_metadata as (delete from completion_metadata where completion_id in (select id from doomed)),
            counted as (
                update person_erasure set
                    responses = responses + (select count(*) from gone where id not like 'chatcmpl-%%'),
                    completions = completions + (select count(*) from gone where id like 'chatcmpl-%%')
                where id = (select id from one))
            select id, running from doomed""".formatted(StoredResponses.BLANK);

    private static final String REASONING = """
            delete from turn_reasoning where (tenant_id, tool_call_id) in (
                select t.tenant_id, t.tool_call_id from one, turn_reasoning t
                where t.tenant_id = one.tenant_id and t.subject_token = one.subject_token
                    and t.accepted_at <= one.erased_at
                limit ?)
            returning tool_call_id""";

    private static final String DELIVERIES = """
            delete from webhook_delivery where number in (
                select d.number from one, response r, webhook_delivery d
                where r.tenant_id = one.tenant_id and r.subject_token = one.subject_token
                    and r.created_at <= one.erased_at and d.response_id = r.id
                limit ?)
            returning number""";

    private static final String BATCH = """
            with one as (select * from person_erasure where id = ?),
            gone as (%1$s),
            counted as (
                update person_erasure set %2$s = %2$s + (select count(*) from gone) where id = (select id from one))
            select count(*) from gone""";

    private static final String UNFILLED = "subject_token is null and deleted_at is null";

    private final Sql sql;
    private final SubjectTokens tokens;

    PersonErasures(Sql sql, KeyRing keys) {
        this.sql = sql.as(Sql.EVERY_TENANT);
        tokens = keys.subjectTokens();
    }

    /// @param answered whether its counts are on record
    /// @param whole whether it means everybody of the tenant
    public record Erasure(String id, String tenant, boolean answered, boolean whole) {
        private String sql(String ofPerson) {
            return whole ? wholeTenant(ofPerson) : ofPerson;
        }
    }

    private static String wholeTenant(String ofPerson) {
        return ofPerson.replace("subject_token = one.subject_token", "tenant_id = one.tenant_id")
                .replace("s.subject_token <> one.subject_token", "false");
    }

    /// @param running whether the response had no end yet
    public record Deleted(String id, boolean running) {}

    /// A row of a gateway of an earlier version.
    ///
    /// @param response what it ended with
    public record Unfilled(
            String id, String tenant, String key, @Nullable String response) {
        /// Says nothing of the content.
        @Override
        public String toString() {
            return "Unfilled[id=" + id + "]";
        }
    }

    /// Takes the work, or keeps it for a while.
    ///
    /// @return offset of the next record to read; empty while another gateway has the work
    public Optional<Long> claim(String gateway, Duration atMost) {
        return sql.first(Long.class, """
                update person_erasure_work set gateway = ?, held_until = now() + make_interval(secs => ?)
                where gateway = ? or held_until < now() returning position""", gateway, (double) atMost.toSeconds(), gateway);
    }

    /// Keeps erasures that were read, each once, with the offset behind them. One that comes again after an hour is
    /// answered again, because its answer may be lost.
    @Transactional
    public void note(List<Erase> erasures, long position, long next) {
        for (var erase : erasures) {
            sql.update("""
                    insert into person_erasure (id, tenant_id, subject_token, erased_at) values (?, ?, ?, ?)
                    on conflict (id) do update set answered_at = null
                        where person_erasure.answered_at < now() - interval '1 hour'""", erase.id(), erase.tenant(), erase.token(), Instant.ofEpochMilli(erase.atMillis()));
        }
        sql.update("update person_erasure_work set position = ? where position = ?", next, position);
    }

    /// Gives some rows of earlier versions the tokens of their persons.
    ///
    /// @param endUser the end user that a row names, empty for none; null when nothing tells it
    /// @return whether there may be more
    @Transactional
    public boolean fill(Function<Unfilled, @Nullable String> endUser) {
        var found = sql.list(
                Unfilled.class,
                "select id, tenant_id, key_id, response from response where finished_at is not null and " + UNFILLED
                        + " limit ? for update",
                FILLED_AT_ONCE);
        var ids = new ArrayList<String>();
        var hex = new ArrayList<String>();
        for (var row : found) {
            var user = endUser.apply(row);
            ids.add(row.id);
            hex.add(user == null ? "" : HexFormat.of().formatHex(tokens.of(row.tenant, user, row.key)));
        }
        if (!ids.isEmpty()) {
            sql.update("""
                    update response r set subject_token = decode(filled.token, 'hex')
                    from unnest(?, ?) as filled (id, token) where r.id = filled.id""", ids, hex);
        }
        return found.size() == FILLED_AT_ONCE;
    }

    /// The erasures that are not answered, and those with rows that were written late.
    public List<Erasure> due() {
        return sql.list(Erasure.class, DUE, ROWS_AT_ONCE);
    }

    /// @return whether there may be more
    public boolean deleteConversations(Erasure one) {
        return batch(one, CONVERSATIONS, "conversations");
    }

    /// Blanks some responses and chat completions for good.
    public List<Deleted> deleteResponses(Erasure one) {
        return sql.list(Deleted.class, one.sql(RESPONSES), one.id, ROWS_AT_ONCE);
    }

    /// @return whether there may be more
    public boolean deleteReasoning(Erasure one) {
        return batch(one, REASONING, "reasoning");
    }

    /// @return whether there may be more
    public boolean deleteDeliveries(Erasure one) {
        return batch(one, DELIVERIES, "deliveries");
    }

    private boolean batch(Erasure one, String delete, String column) {
        return sql.first(Long.class, BATCH.formatted(one.sql(delete), column), one.id, ROWS_AT_ONCE)
                        .orElseThrow()
                > 0;
    }

    /// How much was deleted; empty while rows of earlier versions, whose person is not known yet, may be the person's.
    public Optional<ErasedRows> counted(Erasure one) {
        return sql.first(ErasedRows.class, """
                select responses, completions, conversations, reasoning, deliveries from person_erasure one
                where id = ? and not exists (
                    select from response r where r.tenant_id = one.tenant_id and r.created_at <= one.erased_at and r.\
                """ + UNFILLED + ")", one.id);
    }

    /// Remembers that the counts are on record.
    public void answered(Erasure one) {
        sql.update("update person_erasure set answered_at = now() where id = ?", one.id);
    }
}
