package dev.counterpoint.gateway.access;

import dev.counterpoint.gateway.http.AnswerHeaders;
import dev.counterpoint.gateway.stream.StreamConfig;
import dev.counterpoint.servicekit.ProblemException;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.time.Instant;
import org.hibernate.StatelessSession;

/// What a tenant and a key may still use, counted in PostgreSQL so that all gateways count together. Who has no limits
/// costs nothing here. Thread-safe.
///
/// Requests and tokens of a minute flow off evenly, so that a burst is at most a minute's worth; tokens of a day count
/// from midnight in UTC. A request is let in while something is left, with tokens kept for what it may use; so of many
/// at once only the last may go over the limit, by what was guessed wrong. What is kept goes when the response is
/// settled, or by itself when its gateway forgot it.
@ApplicationScoped
public class Quotas {
    /// Longer than any response takes; see `gateway.stream.deadline`.
    private static final Duration LEASE_GRACE = Duration.ofMinutes(1);

    /// Decides and counts in one round trip: whoever races for the last place waits for the other.
    private static final String ADMIT =
            "select * from quota_admit(:tenant, :key, :response, :tokens, make_interval(secs => :seconds))";

    private static final String SETTLE = "select quota_settle(:tenant, :key, :response, :model, :counted,"
            + " cast(:input as bigint), cast(:cached as bigint), cast(:output as bigint), cast(:reasoning as bigint))";

    private static final String GIVE_BACK = "delete from quota_lease where response = :response";
    private static final String FORGET_LEASES = "delete from quota_lease where until < now()";
    private static final String FORGET = "delete from quota where as_of < now() - interval '2 days'";

    private final StatelessSession database;
    private final CurrentVertxRequest http;
    private final Duration lease;

    @Inject
    Quotas(StatelessSession database, CurrentVertxRequest http, StreamConfig config) {
        this.database = database;
        this.http = http;
        lease = config.deadline().plus(LEASE_GRACE);
    }

    /// What a response used.
    ///
    /// @param response its id, as it was let in by
    /// @param counted false when nobody counted; then the tokens are 0, and what was kept for it counts
    public record Used(
            String response, String model, boolean counted, long input, long cached, long output, long reasoning) {}

    /// Counts one request and keeps tokens for it, or refuses it. Its answer says in its headers how the caller stands
    /// now.
    ///
    /// @param response id of the response, for [#settle] or [#giveBack]
    /// @param tokens that it will use, as far as can be guessed
    /// @throws ProblemException 429 with `Retry-After` when a limit leaves no room
    @Transactional
    public void admit(Caller caller, String response, long tokens) {
        if (!caller.limited()) {
            return;
        }
        var accounts = database.createNativeQuery(ADMIT, Object[].class)
                .setParameter("tenant", caller.tenant())
                .setParameter("key", caller.key())
                .setParameter("response", response)
                .setParameter("tokens", tokens)
                .setParameter("seconds", (double) lease.toSeconds())
                .setTupleTransformer((columns, _) -> account(columns, caller))
                .getResultList();
        var before = new Standing(accounts, Instant.now());
        var refusal = before.refusal();
        tell(refusal.isPresent() ? before : before.with(tokens));
        refusal.ifPresent(problem -> {
            throw new ProblemException(problem);
        });
    }

    private static Standing.Account account(Object[] columns, Caller caller) {
        return new Standing.Account(
                caller.key().equals(columns[0]),
                (Integer) columns[1],
                (Double) columns[2],
                (Long) columns[3],
                (Double) columns[4],
                (Long) columns[5],
                (Long) columns[6],
                (Integer) columns[7],
                (Long) columns[8],
                (Long) columns[9],
                (String) columns[10]);
    }

    private void tell(Standing standing) {
        standing.headers().forEach((name, value) -> AnswerHeaders.put(http.getCurrent(), name, value));
    }

    /// Nothing became of a request that was let in; it still counts as one.
    @Transactional
    public void giveBack(String response) {
        database.createNativeMutationQuery(GIVE_BACK)
                .setParameter("response", response)
                .executeUpdate();
    }

    /// Counts what a response has used, at its end and whether or not its caller has limits. Doing it again changes
    /// nothing.
    @Transactional
    public void settle(Caller caller, Used used) {
        database.createNativeQuery(SETTLE, Boolean.class)
                .setParameter("tenant", caller.tenant())
                .setParameter("key", caller.key())
                .setParameter("response", used.response)
                .setParameter("model", used.model)
                .setParameter("counted", used.counted)
                .setParameter("input", used.input)
                .setParameter("cached", used.cached)
                .setParameter("output", used.output)
                .setParameter("reasoning", used.reasoning)
                .getSingleResult();
    }

    @Scheduled(every = "${gateway.housekeeping-interval:10m}", delayed = "1m")
    @RunOnVirtualThread
    @Transactional
    void forgetOld() {
        database.createNativeMutationQuery(FORGET_LEASES).executeUpdate();
        database.createNativeMutationQuery(FORGET).executeUpdate();
    }
}
