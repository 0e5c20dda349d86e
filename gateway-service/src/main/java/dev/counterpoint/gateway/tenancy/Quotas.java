package dev.counterpoint.gateway.tenancy;

import dev.counterpoint.bus.frame.End;
import dev.counterpoint.gateway.config.LogConfig;
import dev.counterpoint.gateway.http.AnswerHeaders;
import dev.counterpoint.gateway.store.BatchTask;
import dev.counterpoint.gateway.store.Sql;
import dev.counterpoint.servicekit.ProblemException;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The use that tenants and keys make of their limits, counted in PostgreSQL so that all gateways count together. A
/// caller without limits costs nothing here. Thread-safe.
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
    private static final String ADMIT = """
            select subject = ?, requests_max, requests_used, minute_max, minute_used, day_max, day_used, streams_max,
                streams, reserved, refused
            from quota_admit(?, ?, ?, ?, make_interval(secs => ?))""";

    private static final String SETTLE = "select quota_charge(?, ?, ?, ?, ?, ?, ?, ?, ?)";

    private final Sql sql;
    private final CurrentVertxRequest http;
    private final QuotaSettlement settlement;
    private final Duration lease;

    Quotas(Sql sql, CurrentVertxRequest http, QuotaSettlement settlement, LogConfig config) {
        this.sql = sql;
        this.http = http;
        this.settlement = settlement;
        lease = config.deadline().plus(LEASE_GRACE);
    }

    /// The use that a response made of the model.
    ///
    /// @param response its id, as it was let in by
    /// @param tokens null when nobody counted; then what was kept for it counts
    public record Used(
            String response, String model, @Nullable Tokens tokens) {}

    /// Tokens of one response.
    ///
    /// @param input of the prompt, the cached ones included
    /// @param output of the answer, the reasoning included
    public record Tokens(long input, long cached, long output, long reasoning) {
        private static final Tokens NONE = new Tokens(0, 0, 0, 0);

        public static Tokens of(End end) {
            return new Tokens(end.inputTokens(), end.cachedTokens(), end.outputTokens(), end.reasoningTokens());
        }

        /// The same for a response whose prompt is counted elsewhere.
        public Tokens withoutPrompt() {
            return new Tokens(0, 0, output, reasoning);
        }
    }

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
        var accounts = sql.list(
                RateLimitStatus.Account.class,
                ADMIT,
                caller.key(),
                caller.tenant(),
                caller.key(),
                response,
                tokens,
                (double) lease.toSeconds());
        var before = new RateLimitStatus(accounts, Instant.now());
        var refusal = before.refusal();
        tell(refusal.isPresent() ? before : before.with(tokens));
        refusal.ifPresent(problem -> {
            throw new ProblemException(problem);
        });
    }

    private void tell(RateLimitStatus standing) {
        standing.headers().forEach((name, value) -> AnswerHeaders.put(http.getCurrent(), name, value));
    }

    /// Gives back the tokens of a request that was let in and never ran. The request itself still counts.
    public void giveBack(String response) {
        sql.update("delete from quota_lease where response = ?", response);
    }

    /// Counts what a response has used, at its end and whether or not its caller has limits. Doing it again changes
    /// nothing. It waits for no other response, also of the same tenant.
    public void settle(Caller caller, Used used) {
        var tokens = Objects.requireNonNullElse(used.tokens, Tokens.NONE);
        sql.first(
                Boolean.class,
                SETTLE,
                caller.tenant(),
                caller.key(),
                used.response,
                used.model,
                used.tokens != null,
                tokens.input,
                tokens.cached,
                tokens.output,
                tokens.reasoning);
        if (caller.limited()) {
            settlement.plan();
        }
    }

    @Produces
    @Singleton
    BatchTask lapsedLeases() {
        return BatchTask.deleting("quota_lease", "until < now()", sql);
    }

    @Produces
    @Singleton
    BatchTask unused() {
        return BatchTask.deleting("quota", "as_of < now() - interval '2 days'", sql);
    }
}
