package dev.counterpoint.gateway.tenancy;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.gateway.http.AnswerHeaders;
import dev.counterpoint.gateway.store.BatchTask;
import dev.counterpoint.gateway.store.ResponseBeginnings;
import dev.counterpoint.gateway.store.ResponseBeginnings.Beginning;
import dev.counterpoint.gateway.store.Sql;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.servicekit.ProblemException;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The use that tenants and keys make of their limits, counted in PostgreSQL so that all gateways count together. A
/// caller without limits costs nothing here. Thread-safe.
///
/// Requests and tokens of a minute flow off evenly, so that a burst is at most a minute's worth; tokens of a day
/// count from midnight in UTC. A request is let in while something is left, with tokens kept for what it may use;
/// so of many at once only the last may go over the limit, by what was guessed wrong. What is kept goes when the
/// response is settled, or by itself when its gateway forgot it.
@ApplicationScoped
public class Quotas {
    private static final String SETTLE = "select quota_charge(?, ?, ?, ?, ?, ?, ?, ?, ?)";
    private static final String END = "select response_end(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    private static final String ENDED = "ended";

    private final Sql sql;
    private final ResponseBeginnings beginnings;
    private final CurrentVertxRequest http;
    private final QuotaSettlement settlement;

    Quotas(Sql sql, ResponseBeginnings beginnings, CurrentVertxRequest http, QuotaSettlement settlement) {
        this.sql = sql;
        this.beginnings = beginnings;
        this.http = http;
        this.settlement = settlement;
    }

    /// The use that a response made of the model.
    ///
    /// @param response its id, as it was let in by
    /// @param tokens null when nobody counted; then what was kept for it counts
    public record Used(
            String response, String model, @Nullable Tokens tokens) {
        /// The parameters of a statement that counts it.
        private @Nullable Object[] of(Caller caller, @Nullable Object... first) {
            var some = Objects.requireNonNullElse(tokens, Tokens.NONE);
            var all = new ArrayList<@Nullable Object>(Arrays.asList(first));
            all.addAll(List.of(caller.key(), response, model, tokens != null));
            all.addAll(List.of(some.input, some.cached, some.output, some.reasoning));
            return all.toArray();
        }
    }

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

    /// Counts one request without a row, or refuses it.
    ///
    /// @param response id of the response, for [#settle] or [#giveBack]
    /// @param tokens that it will use, as far as can be guessed
    /// @throws ProblemException as of [#requireRoom]
    public void admit(Caller caller, ResponseId response, long tokens) {
        if (caller.limited()) {
            var alone = new Beginning(caller.owner(), caller.key(), response, tokens, null, null);
            requireRoom(alone, beginnings.begin(alone));
        }
    }

    /// Lets a request in, or refuses it. Its answer says in its headers how the caller stands now. To be called in
    /// the thread of the request.
    ///
    /// @throws ProblemException 429 with `Retry-After` when a limit leaves no room
    public void requireRoom(Beginning asked, ResponseBeginnings.Begun begun) {
        if (asked.tokens() == null || begun.standing() == null) {
            return;
        }
        var before = RateLimitStatus.read(begun.standing(), Instant.now());
        var refusal = before.refusal();
        tell(refusal.isPresent() ? before : before.with(asked.tokens()));
        refusal.ifPresent(problem -> {
            throw new ProblemException(problem);
        });
    }

    private void tell(RateLimitStatus standing) {
        standing.headers().forEach((name, value) -> AnswerHeaders.put(http.getCurrent(), name, value));
    }

    /// Gives back the tokens of a request that was let in and never ran. The request itself still counts.
    public void giveBack(ResponseId response) {
        sql.update("delete from quota_lease where response = ?", response.toString());
    }

    /// Counts what a response has used, at its end and whether or not its caller has limits. Doing it again changes
    /// nothing. It waits for no other response, also of the same tenant.
    public void settle(Caller caller, Used used) {
        sql.first(Boolean.class, SETTLE, used.of(caller, caller.tenant()));
        plan(caller);
    }

    /// As [#settle], together with the first ending of the response's row, and with no other statement.
    ///
    /// @return false when the row needs more than that; then nothing has changed
    public boolean settle(Caller caller, Used used, StoredResponses.Ending row) {
        var parameters = used.of(
                caller, row.id(), caller.tenant(), row.status(), row.responseJson(), row.sealedUntil(), row.answered());
        boolean ended = sql.first(String.class, END, parameters).orElseThrow().equals(ENDED);
        if (ended) {
            plan(caller);
        }
        return ended;
    }

    private void plan(Caller caller) {
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
