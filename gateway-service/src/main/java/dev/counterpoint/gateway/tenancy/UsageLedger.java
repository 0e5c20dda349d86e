package dev.counterpoint.gateway.tenancy;

import dev.counterpoint.gateway.store.BatchTask;
import dev.counterpoint.gateway.store.Sql;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The use that tenants made of models, by the day in UTC on which a response ended. Thread-safe.
///
/// Each response is one entry; entries of before yesterday are added up, a row for a day, a key and a model.
public @ApplicationScoped class UsageLedger {
    private static final int FOLDED_AT_ONCE = 10_000;

    private static final String REPORT = """
            with asked (first, last, tenant, key) as (
                values (cast(? as date), cast(? as date), cast(? as text), cast(? as text))
            ), used as (
                select day, tenant_id, key_id, model, requests, input_tokens, cached_tokens, output_tokens,
                    reasoning_tokens
                from usage_day, asked where day between asked.first and asked.last
                union all
                select cast(ended_at at time zone 'UTC' as date), tenant_id, key_id, model, 1, input_tokens,
                    cached_tokens, output_tokens, reasoning_tokens
                from usage_entry, asked
                where ended_at >= cast(asked.first as timestamp) at time zone 'UTC'
                    and ended_at < cast(asked.last + 1 as timestamp) at time zone 'UTC'
            )
            select cast(day as text), tenant_id, key_id, model, cast(sum(requests) as bigint),
                cast(sum(input_tokens) as bigint), cast(sum(cached_tokens) as bigint),
                cast(sum(output_tokens) as bigint), cast(sum(reasoning_tokens) as bigint)
            from used, asked
            where (asked.tenant is null or tenant_id = asked.tenant) and (asked.key is null or key_id = asked.key)
            group by day, tenant_id, key_id, model
            order by day, tenant_id, key_id, model
            limit ?""";

    private static final String FOLD = """
            with old as (
                select response from usage_entry
                where ended_at < (date_trunc('day', now() at time zone 'UTC') - interval '1 day') at time zone 'UTC'
                limit ? for update skip locked
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

    private final Sql sql;

    UsageLedger(Sql sql) {
        this.sql = sql;
    }

    /// The use that one key made of one model in one day.
    ///
    /// @param day in UTC, such as `2026-11-01`
    /// @param requests responses that ended, however they did
    /// @param inputTokens of prompts, the cached ones included
    /// @param outputTokens of answers, the reasoning included
    public record Line(
            String day,
            String tenant,
            String key,
            String model,
            long requests,
            long inputTokens,
            long cachedTokens,
            long outputTokens,
            long reasoningTokens) {}

    /// The selection of a report.
    ///
    /// @param last included
    /// @param tenant null for all
    /// @param key null for all
    public record Question(
            LocalDate first,
            LocalDate last,
            @Nullable String tenant,
            @Nullable String key) {}

    /// The lines of a report by day, tenant, key and model.
    public List<Line> report(Question question, int linesMax) {
        return sql.list(Line.class, REPORT, question.first, question.last, question.tenant, question.key, linesMax);
    }

    @Produces
    @Singleton
    BatchTask fold() {
        return new BatchTask("fold-usage", FOLDED_AT_ONCE, most -> sql.update(FOLD, most));
    }
}
