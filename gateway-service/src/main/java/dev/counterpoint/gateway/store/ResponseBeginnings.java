package dev.counterpoint.gateway.store;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.gateway.config.GatewayIncarnation;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Begins responses in the database: claims the idempotency key, counts the request and writes the row, in one call. The
/// function `response_begin` says what is all or nothing. Thread-safe; never call it within a transaction.
@ApplicationScoped
public class ResponseBeginnings {
    private static final String BEGIN = "call response_begin(" + "?, ".repeat(21) + "null, null)";

    private final Sql sql;
    private volatile boolean answers;

    ResponseBeginnings(Sql sql) {
        this.sql = sql;
    }

    /// A response that is about to run.
    ///
    /// @param key id of the API key
    /// @param lease of a caller with limits, else null
    /// @param claim of an idempotency key, or null without one
    /// @param row null where none is kept
    public record Beginning(
            Owner owner,
            String key,
            ResponseId response,
            @Nullable Lease lease,
            @Nullable Claim claim,
            StoredResponses.@Nullable NewRow row) {
        /// True if the database has nothing to do.
        public boolean isEmpty() {
            return lease == null && claim == null && row == null;
        }
    }

    /// The tokens that are kept for a response.
    ///
    /// @param life after which the lease ends by itself
    public record Lease(long tokens, Duration life) {}

    /// Lets an idempotency key stand for a response.
    ///
    /// @param name unique within the tenant
    /// @param request hash of what must be the same when the key comes again
    public record Claim(String name, byte[] request, Duration life) {}

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

    /// @param standing the limits of the caller as JSON, before the response was counted; null where nothing is counted
    public record Begun(Outcome outcome, @Nullable String standing) {
        private static final Begun WITHOUT = new Begun(Outcome.BEGUN, null);
    }

    private record Told(String outcome, @Nullable String standing) {}

    /// True if the database answered the last call.
    public boolean answers() {
        return answers;
    }

    public Begun begin(Beginning one) {
        if (one.isEmpty()) {
            return Begun.WITHOUT;
        }
        try {
            var begun = call(one);
            answers = true;
            return begun;
        } catch (RuntimeException e) {
            answers = false;
            throw e;
        }
    }

    private Begun call(Beginning one) {
        var told = sql.first(Told.class, BEGIN, parameters(one)).orElseThrow();
        return new Begun(Outcome.valueOf(told.outcome.toUpperCase(Locale.ROOT)), told.standing);
    }

    private static @Nullable Object[] parameters(Beginning one) {
        var lease = one.lease;
        var claim = one.claim;
        var row = one.row;
        var place = row == null ? null : row.place();
        return new @Nullable Object[] {
            one.owner.tenant(),
            one.key,
            one.response.toString(),
            GatewayIncarnation.name(),
            lease == null ? null : lease.tokens,
            lease == null ? null : (double) lease.life.toSeconds(),
            claim == null ? null : claim.name,
            claim == null ? null : claim.request,
            claim == null ? null : (double) claim.life.toSeconds(),
            row == null ? null : row.id(),
            one.owner.project(),
            row == null ? null : row.createdAt(),
            row == null ? null : row.model(),
            row == null ? null : row.background(),
            row == null ? null : row.stored(),
            row == null ? null : row.previousResponseId(),
            row == null ? null : row.inputItemsJson(),
            row == null ? null : row.expiresAt(),
            row == null ? null : sealedUntil(row),
            place == null ? null : place.conversation(),
            place == null ? null : place.before()
        };
    }

    private static @Nullable Instant sealedUntil(StoredResponses.NewRow row) {
        return SealedContent.mayBeIn(row.inputItemsJson())
                ? row.createdAt().plus(StoredResponses.SEALED_LIFETIME)
                : null;
    }
}
