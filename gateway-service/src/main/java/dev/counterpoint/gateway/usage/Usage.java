package dev.counterpoint.gateway.usage;

import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.sql.Date;
import java.time.LocalDate;
import java.util.List;
import org.hibernate.StatelessSession;
import org.jspecify.annotations.Nullable;

/// What tenants used, by the day in UTC on which a response ended. Thread-safe.
///
/// Each response is one entry; entries of before yesterday are added up, a row for a day, a key and a model.
@ApplicationScoped
class Usage {
    private static final int FOLDED_AT_ONCE = 10_000;
    private static final int ROUNDS_MAX = 1_000;

    private static final String REPORT = """
            select day, tenant_id, key_id, model, cast(sum(requests) as bigint), cast(sum(input_tokens) as bigint),
                cast(sum(cached_tokens) as bigint), cast(sum(output_tokens) as bigint),
                cast(sum(reasoning_tokens) as bigint)
            from (
                select day, tenant_id, key_id, model, requests, input_tokens, cached_tokens, output_tokens,
                    reasoning_tokens
                from usage_day where day between cast(:first as date) and cast(:last as date)
                union all
                select cast(ended_at at time zone 'UTC' as date), tenant_id, key_id, model, 1, input_tokens,
                    cached_tokens, output_tokens, reasoning_tokens
                from usage_entry
                where ended_at >= cast(cast(:first as date) as timestamp) at time zone 'UTC'
                    and ended_at < cast(cast(:last as date) + 1 as timestamp) at time zone 'UTC'
            ) used
            where (cast(:tenant as text) is null or tenant_id = :tenant)
                and (cast(:key as text) is null or key_id = :key)
            group by day, tenant_id, key_id, model
            order by day, tenant_id, key_id, model""";

    private static final String FOLD = """
            with old as (
                select response from usage_entry
                where ended_at < (date_trunc('day', now() at time zone 'UTC') - interval '1 day') at time zone 'UTC'
                limit :most for update skip locked
            ), gone as (
                delete from usage_entry where response in (select response from old) returning *
            )
            insert into usage_day as held
                (tenant_id, key_id, model, day, requests, input_tokens, cached_tokens, output_tokens, reasoning_tokens)
            select tenant_id, key_id, model, cast(ended_at at time zone 'UTC' as date), count(*), sum(input_tokens),
                sum(cached_tokens), sum(output_tokens), sum(reasoning_tokens)
            from gone
            group by 1, 2, 3, 4
            order by 1, 2, 3, 4
            on conflict (tenant_id, day, key_id, model) do update set
                requests = held.requests + excluded.requests,
                input_tokens = held.input_tokens + excluded.input_tokens,
                cached_tokens = held.cached_tokens + excluded.cached_tokens,
                output_tokens = held.output_tokens + excluded.output_tokens,
                reasoning_tokens = held.reasoning_tokens + excluded.reasoning_tokens""";

    private final StatelessSession database;

    @Inject
    Usage(StatelessSession database) {
        this.database = database;
    }

    /// What one key used of one model in one day.
    ///
    /// @param day in UTC
    /// @param requests responses that ended, however they did
    /// @param inputTokens of prompts, the cached ones included
    /// @param outputTokens of answers, the reasoning included
    record Line(
            LocalDate day,
            String tenant,
            String key,
            String model,
            long requests,
            long inputTokens,
            long cachedTokens,
            long outputTokens,
            long reasoningTokens) {}

    /// What is asked for.
    ///
    /// @param last included
    /// @param tenant null for all
    /// @param key null for all
    record Question(
            LocalDate first,
            LocalDate last,
            @Nullable String tenant,
            @Nullable String key) {}

    /// By day, tenant, key and model.
    @Transactional
    List<Line> report(Question question, int linesMax) {
        return database.createNativeQuery(REPORT, Object[].class)
                .setParameter("first", question.first)
                .setParameter("last", question.last)
                .setParameter("tenant", question.tenant, String.class)
                .setParameter("key", question.key, String.class)
                .setMaxResults(linesMax)
                .setTupleTransformer((columns, _) -> line(columns))
                .getResultList();
    }

    private static Line line(Object[] columns) {
        var day = columns[0] instanceof Date date ? date.toLocalDate() : (LocalDate) columns[0];
        return new Line(
                day,
                (String) columns[1],
                (String) columns[2],
                (String) columns[3],
                (Long) columns[4],
                (Long) columns[5],
                (Long) columns[6],
                (Long) columns[7],
                (Long) columns[8]);
    }

    @Scheduled(every = "${gateway.housekeeping-interval:10m}", delayed = "1m")
    @RunOnVirtualThread
    void fold() {
        for (int round = 0; round < ROUNDS_MAX; round++) {
            if (QuarkusTransaction.requiringNew().call(this::foldSome) == 0) {
                return;
            }
        }
    }

    private int foldSome() {
        return database.createNativeMutationQuery(FOLD)
                .setParameter("most", FOLDED_AT_ONCE)
                .executeUpdate();
    }
}
