package dev.counterpoint.gateway.store;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The sealed reasoning of turns that wait for a tool's answer, kept for clients that do not carry it
/// themselves. Only workers can open it. Thread-safe; every method is one statement.
@ApplicationScoped
public class TurnReasoning {
    private static final String PUT = """
            insert into turn_reasoning (tenant_id, tool_call_id, encrypted_content, expires_at) values (?, ?, ?, ?)
            on conflict (tenant_id, tool_call_id)
                do update set encrypted_content = excluded.encrypted_content, expires_at = excluded.expires_at""";

    private final Sql sql;

    @Inject
    TurnReasoning(Sql sql) {
        this.sql = sql;
    }

    /// The reasoning of a turn before it called a tool.
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

    /// Keeps an entry; replaces one for the same call.
    public void put(Entry entry) {
        sql.as(entry.tenant())
                .update(PUT, entry.tenant(), entry.toolCallId(), entry.encryptedContent(), entry.expiresAt());
    }

    /// The sealed reasoning behind a tool call of this tenant, unless it has expired; an empty text when it was
    /// forgotten.
    public Optional<String> find(String tenant, String toolCallId) {
        return sql.as(tenant).first(String.class, """
                select encrypted_content from turn_reasoning
                where tenant_id = ? and tool_call_id = ? and expires_at > now()""", tenant, toolCallId);
    }

    /// Forgets the reasoning behind these calls of a tenant. That there was some is known until it would have
    /// expired.
    public void forget(String tenant, List<String> toolCallIds) {
        sql.as(tenant).update("""
                        update turn_reasoning set encrypted_content = ''
                        where tenant_id = ? and tool_call_id = any(?)""", tenant, toolCallIds);
    }

    @Produces
    @Singleton
    BatchTask expired() {
        return BatchTask.deleting("turn_reasoning", "expires_at <= now()", sql);
    }
}
