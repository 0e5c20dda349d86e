package dev.counterpoint.gateway.api.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.counterpoint.gateway.fleet.WorkerStatus;
import dev.counterpoint.gateway.tenancy.KeyRow;
import dev.counterpoint.gateway.tenancy.Scope;
import dev.counterpoint.gateway.tenancy.TenantRow;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The answers of the admin API. Times are seconds since 1970.
final class AdminViews {
    private AdminViews() {}

    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Tenant(
            String id,
            String object,
            String name,
            long createdAt,
            @Nullable Integer requestsPerMinute,
            @Nullable Long tokensPerMinute,
            @Nullable Long tokensPerDay,
            @Nullable Integer concurrentStreams,
            @Nullable AuditOptIn auditOptIn,
            boolean writtenSummaries) {
        static Tenant of(TenantRow row) {
            return new Tenant(
                    row.id,
                    "tenant",
                    row.name,
                    row.createdAt.getEpochSecond(),
                    row.limits().requestsPerMinute,
                    row.limits().tokensPerMinute,
                    row.limits().tokensPerDay,
                    row.limits().concurrentStreams,
                    AuditOptIn.of(row),
                    row.writtenSummaries);
        }
    }

    /// The tenant's agreement that raw reasoning is kept for its compliance staff.
    record AuditOptIn(String id, String agreedBy, long agreedAt) {
        static @Nullable AuditOptIn of(TenantRow row) {
            return row.auditOptInId == null || row.auditAgreedBy == null || row.auditAgreedAt == null
                    ? null
                    : new AuditOptIn(row.auditOptInId, row.auditAgreedBy, row.auditAgreedAt.getEpochSecond());
        }
    }

    /// A key without its secret.
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Key(
            String id,
            String object,
            String tenant,
            String name,
            String project,
            String prefix,
            List<String> scopes,
            String audit,
            @Nullable Integer requestsPerMinute,
            @Nullable Long tokensPerMinute,
            @Nullable Long tokensPerDay,
            @Nullable Integer concurrentStreams,
            long createdAt,
            @Nullable Long lastUsedAt,
            @Nullable Long expiresAt,
            @Nullable Long revokedAt) {
        static Key of(KeyRow row) {
            return new Key(
                    row.id,
                    "api_key",
                    row.tenant,
                    row.name,
                    row.project,
                    row.prefix + "…",
                    row.scopes().stream().map(Scope::wireName).toList(),
                    row.audit.name().toLowerCase(Locale.ROOT),
                    row.limits().requestsPerMinute,
                    row.limits().tokensPerMinute,
                    row.limits().tokensPerDay,
                    row.limits().concurrentStreams,
                    row.createdAt.getEpochSecond(),
                    seconds(row.lastUsedAt),
                    seconds(row.expiresAt),
                    seconds(row.revokedAt));
        }
    }

    /// A key at its creation: the only time that the secret is shown.
    record CreatedKey(Key key, String secret) {
        @Override
        public String toString() {
            return "CreatedKey[key=" + key.id() + "]";
        }
    }

    /// One page of a list, in OpenAI's form.
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Page(
            String object,
            List<?> data,
            @Nullable String firstId,
            @Nullable String lastId,
            boolean hasMore) {}

    /// What one gateway knows; other gateways may know something else.
    ///
    /// @param gateway the incarnation of the gateway that answers
    record GatewayView(String object, String gateway, List<?> data) {}

    /// @param state as of [WorkerStatus.State], in lower case
    /// @param busy slots that run a response
    record Worker(
            String id,
            String object,
            String model,
            String description,
            String state,
            int slots,
            int busy,
            int contextLength,
            List<String> abilities,
            long lastSeen) {
        static Worker of(WorkerStatus status, Instant now) {
            var model = status.model();
            return new Worker(
                    status.id(),
                    "worker",
                    model.name(),
                    model.description(),
                    status.state().name().toLowerCase(Locale.ROOT),
                    model.slots(),
                    model.slots() - model.freeSlots(),
                    model.contextLength(),
                    model.abilities(),
                    now.minus(status.silence()).getEpochSecond());
        }
    }

    /// @param depth jobs of this gateway that no worker has taken
    /// @param oldestAgeSeconds time since the oldest of them was accepted; 0 when there is none
    record Queue(String band, int depth, double oldestAgeSeconds) {}

    /// @param reason of admission, as in the metric `counterpoint.gateway.refused`; or an HTTP status
    /// @param kind `admission` or `status`; a request that admission refused is also counted by its status
    record Refusal(String reason, String kind, long sinceStart, long lastHour) {}

    /// The confirmation that something is gone.
    record Deleted(String id, String object, boolean deleted) {}

    private static @Nullable Long seconds(@Nullable Instant time) {
        return Optional.ofNullable(time).map(Instant::getEpochSecond).orElse(null);
    }
}
