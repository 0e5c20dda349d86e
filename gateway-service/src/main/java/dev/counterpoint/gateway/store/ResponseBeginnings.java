package dev.counterpoint.gateway.store;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SubjectTokens;
import dev.counterpoint.gateway.config.GatewayIncarnation;
import dev.counterpoint.gateway.config.LogConfig;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Begins responses in the database: claims the idempotency key, counts the request and writes the row, in one call.
/// The procedure `response_begin` says what is all or nothing. Thread-safe; never call it within a transaction.
@ApplicationScoped
public class ResponseBeginnings {
    private static final String BEGIN = "call response_begin(" + "?, ".repeat(22) + "null, null)";
    private static final int ROW_COLUMNS = 12;
    /// Longer than any response takes; see `gateway.stream.deadline`.
    private static final Duration LEASE_GRACE = Duration.ofMinutes(1);

    private final Sql sql;
    private final SubjectTokens tokens;
    private final double leaseSeconds;
    private final double claimSeconds;

    ResponseBeginnings(Sql sql, KeyRing keys, LogConfig config) {
        this.sql = sql;
        tokens = keys.subjectTokens();
        leaseSeconds = config.deadline().plus(LEASE_GRACE).toSeconds();
        claimSeconds = config.replayWindow().toSeconds();
    }

    /// A response that is about to run.
    ///
    /// @param key id of the API key
    /// @param tokens that are kept for it; null for a caller without limits, who is not counted
    /// @param claim of an idempotency key, or null without one
    /// @param row null where none is kept
    public record Beginning(
            Owner owner,
            String key,
            ResponseId response,
            @Nullable Long tokens,
            @Nullable Claim claim,
            StoredResponses.@Nullable NewRow row) {}

    /// Lets an idempotency key stand for a response.
    ///
    /// @param name unique within the tenant
    /// @param request hash of what must be the same when the key comes again
    public record Claim(String name, byte[] request) {}

    /// How the database answered.
    public enum Outcome {
        BEGUN,
        /// The key stands for another response.
        TAKEN,
        /// A limit leaves no room.
        REFUSED,
        /// The place in the conversation is not the last one any more. The lease and the claim stay.
        BUSY
    }

    /// @param told name of the outcome
    /// @param standing the caller's limits as JSON, before the response was counted; null where none is counted
    public record Begun(String told, @Nullable String standing) {
        private static final Begun WITHOUT = new Begun(Outcome.BEGUN.name(), null);

        public Outcome outcome() {
            return Outcome.valueOf(told);
        }
    }

    public Begun begin(Beginning one) {
        if (one.tokens == null && one.claim == null && one.row == null) {
            return Begun.WITHOUT;
        }
        return sql.first(Begun.class, BEGIN, parameters(one)).orElseThrow();
    }

    private @Nullable Object[] parameters(Beginning one) {
        var claim = one.claim;
        var all = new ArrayList<@Nullable Object>(Arrays.asList(
                one.owner.tenant(),
                one.owner.project(),
                one.key,
                one.response.toString(),
                GatewayIncarnation.name(),
                one.tokens,
                leaseSeconds,
                claim == null ? null : claim.name,
                claim == null ? null : claim.request,
                claimSeconds));
        all.addAll(one.row == null ? Collections.nCopies(ROW_COLUMNS, null) : columns(one.row));
        return all.toArray();
    }

    private List<@Nullable Object> columns(StoredResponses.NewRow row) {
        var place = row.place();
        return Arrays.asList(
                row.id(),
                row.createdAt(),
                row.model(),
                row.background(),
                row.stored(),
                row.previousResponseId(),
                row.inputItemsJson(),
                row.expiresAt(),
                row.sealedUntil(),
                place == null ? null : place.conversation(),
                place == null ? null : place.before(),
                row.user() == null ? null : tokens.of(row.owner().tenant(), row.user(), row.key()));
    }
}
