package dev.counterpoint.gateway.store;

import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.hibernate.StatelessSession;

/// The sealed reasoning of turns that wait for a tool's answer, kept for clients that do not carry it
/// themselves. Only workers can open it. Thread-safe; every method is one short transaction.
@ApplicationScoped
public class TurnReasoning {
    private final StatelessSession database;

    @Inject
    TurnReasoning(StatelessSession database) {
        this.database = database;
    }

    /// What a turn thought before it called a tool.
    ///
    /// @param tenant id of the tenant
    /// @param toolCallId the call that the turn ended with
    /// @param encryptedContent as the worker sealed it
    /// @param expiresAt when it is forgotten
    public record Entry(String tenant, String toolCallId, String encryptedContent, Instant expiresAt) {
        @Override
        public String toString() {
            return "Entry[tenant=%s, toolCallId=%s]".formatted(tenant, toolCallId);
        }
    }

    /// Keeps it; replaces what was kept for the same call.
    @Transactional
    public void put(Entry entry) {
        database.createNativeMutationQuery("""
                        insert into turn_reasoning (tenant_id, tool_call_id, encrypted_content, expires_at)
                        values (:tenant, :call, :content, :expires)
                        on conflict (tenant_id, tool_call_id)
                        do update set encrypted_content = excluded.encrypted_content, expires_at = excluded.expires_at""")
                .setParameter("tenant", entry.tenant())
                .setParameter("call", entry.toolCallId())
                .setParameter("content", entry.encryptedContent())
                .setParameter("expires", entry.expiresAt())
                .executeUpdate();
    }

    /// The sealed reasoning behind a tool call of this tenant, unless it has expired.
    @Transactional
    public Optional<String> find(String tenant, String toolCallId) {
        return database.createNativeQuery("""
                        select encrypted_content from turn_reasoning
                        where tenant_id = :tenant and tool_call_id = :call and expires_at > now()""", String.class)
                .setParameter("tenant", tenant)
                .setParameter("call", toolCallId)
                .uniqueResultOptional();
    }

    /// Forgets what stands behind these calls of a tenant.
    @Transactional
    public void forget(String tenant, List<String> toolCallIds) {
        database.createNativeMutationQuery(
                        "delete from turn_reasoning where tenant_id = :tenant and tool_call_id in (:calls)")
                .setParameter("tenant", tenant)
                .setParameterList("calls", toolCallIds)
                .executeUpdate();
    }

    @Scheduled(every = "${gateway.housekeeping-interval:10m}", delayed = "1m")
    @RunOnVirtualThread
    @Transactional
    void deleteExpired() {
        database.createNativeMutationQuery("delete from turn_reasoning where expires_at <= now()")
                .executeUpdate();
    }
}
