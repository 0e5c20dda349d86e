package dev.counterpoint.gateway.access;

import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.problem.ProblemException;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import org.hibernate.StatelessSession;
import org.jspecify.annotations.Nullable;

/// What a tenant may still use, counted in PostgreSQL so that all gateways count together. Requests are counted by
/// the minute and tokens by the day in UTC; both windows are fixed, so a burst around a minute's turn can reach
/// twice the limit. A tenant without limits costs nothing here. Thread-safe.
@ApplicationScoped
public class Quotas {
    /// One statement decides and counts: two requests that race for the last place cannot both get it.
    private static final String ADMIT = """
            with spent as (
                select coalesce(max(used), 0) as tokens from quota_window
                where tenant_id = :tenant and kind = 'tokens'
                    and starts_at = date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'
            ), counted as (
                insert into quota_window as held (tenant_id, kind, starts_at, used)
                select :tenant, 'requests', date_trunc('minute', now()), 1 from spent where tokens < :tokensMax
                on conflict (tenant_id, kind, starts_at)
                    do update set used = held.used + 1 where held.used < :requestsMax
                returning used
            )
            select tokens < :tokensMax,
                exists (select from counted),
                cast(ceil(60 - extract(second from now())) as bigint),
                cast(ceil(extract(epoch from date_trunc('day', now() at time zone 'UTC') + interval '1 day'
                    - now() at time zone 'UTC')) as bigint)
            from spent""";

    private static final String CHARGE = """
            insert into quota_window as held (tenant_id, kind, starts_at, used)
            values (:tenant, 'tokens', date_trunc('day', now() at time zone 'UTC') at time zone 'UTC', :tokens)
            on conflict (tenant_id, kind, starts_at) do update set used = held.used + excluded.used""";

    private static final String FORGET = "delete from quota_window where starts_at < now() - interval '2 days'";

    private final StatelessSession database;

    @Inject
    Quotas(StatelessSession database) {
        this.database = database;
    }

    /// What [#ADMIT] answers; times in seconds.
    record Verdict(boolean tokensLeft, boolean counted, long minuteEndsIn, long dayEndsIn) {}

    /// Counts one request, or refuses it.
    ///
    /// @throws ProblemException 429 with `Retry-After` when the minute's requests or the day's tokens are used up
    @Transactional
    public void admit(Caller caller) {
        var limits = caller.limits();
        if (limits.equals(Caller.Limits.NONE)) {
            return;
        }
        var verdict = database.createNativeQuery(ADMIT, Object[].class)
                .setParameter("tenant", caller.tenant())
                .setParameter("tokensMax", orUnlimited(limits.tokensPerDay()))
                .setParameter("requestsMax", orUnlimited(limits.requestsPerMinute()))
                .setTupleTransformer((columns, _) ->
                        new Verdict((Boolean) columns[0], (Boolean) columns[1], (Long) columns[2], (Long) columns[3]))
                .getSingleResult();
        if (!verdict.tokensLeft()) {
            var message = "Rate limit reached for tokens per day: limit " + limits.tokensPerDay() + ".";
            throw new ProblemException(Problem.rateLimited(message, verdict.dayEndsIn()));
        }
        if (!verdict.counted()) {
            var message = "Rate limit reached for requests per minute: limit " + limits.requestsPerMinute() + ".";
            throw new ProblemException(Problem.rateLimited(message, verdict.minuteEndsIn()));
        }
    }

    /// Counts what a response has used, at its end. The response that goes over the limit is the last one.
    ///
    /// @param tokens input and output together
    @Transactional
    public void charge(Caller caller, long tokens) {
        if (caller.limits().tokensPerDay() == null || tokens <= 0) {
            return;
        }
        database.createNativeMutationQuery(CHARGE)
                .setParameter("tenant", caller.tenant())
                .setParameter("tokens", tokens)
                .executeUpdate();
    }

    @Scheduled(every = "${gateway.housekeeping-interval:10m}", delayed = "1m")
    @RunOnVirtualThread
    @Transactional
    void forgetOldWindows() {
        database.createNativeMutationQuery(FORGET).executeUpdate();
    }

    private static long orUnlimited(@Nullable Number limit) {
        return limit == null ? Long.MAX_VALUE : limit.longValue();
    }
}
