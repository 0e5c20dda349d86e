package dev.counterpoint.gateway.store;

import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SubjectTokens;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The sealed reasoning of turns that wait for a tool's answer, kept for clients that do not carry it
/// themselves. Only workers can open it. Thread-safe; every method is one statement.
@ApplicationScoped
public class TurnReasoning {
    /// The log of a response names its API key and no project, and a gateway that takes a turn over has the log only.
    private static final String PROJECT_OF_KEY = "coalesce((select project from api_key where id = ?), 'default')";

    private static final String PUT = """
            insert into turn_reasoning (
                tenant_id, project, tool_call_id, encrypted_content, expires_at, subject_token, accepted_at)
            select distinct ?, %s, call, ?, cast(? as timestamptz), cast(? as bytea), cast(? as timestamptz)
            from unnest(?) call
            on conflict (tenant_id, tool_call_id)
                do update set encrypted_content = excluded.encrypted_content, expires_at = excluded.expires_at,
                    subject_token = excluded.subject_token, accepted_at = excluded.accepted_at
                where turn_reasoning.project = excluded.project""".formatted(PROJECT_OF_KEY);

    private static final String FORGET = """
            update turn_reasoning set encrypted_content = ''
            where tenant_id = ? and tool_call_id = any(?) and project = %s""".formatted(PROJECT_OF_KEY);

    private final Sql sql;
    private final SubjectTokens tokens;

    TurnReasoning(Sql sql, KeyRing keys) {
        this.sql = sql;
        tokens = keys.subjectTokens();
    }

    /// The reasoning of a turn before it called a tool.
    ///
    /// @param tenant id of the tenant
    /// @param key id of the API key that asked; the entry belongs to the project of this key
    /// @param user the end user of the request, empty for none; null when that is not known
    /// @param acceptedAt when the request was accepted
    /// @param toolCallIds the calls that the turn ended with
    /// @param encryptedContent as the worker sealed it
    /// @param expiresAt when it is forgotten
    public record Entry(
            String tenant,
            String key,
            @Nullable String user,
            Instant acceptedAt,
            List<String> toolCallIds,
            String encryptedContent,
            Instant expiresAt) {
        @Override
        public String toString() {
            return "Entry[tenant=%s, toolCallIds=%s]".formatted(tenant, toolCallIds);
        }
    }

    /// Keeps an entry; replaces one for the same calls.
    public void put(Entry entry) {
        sql.as(entry.tenant())
                .update(
                        PUT,
                        entry.tenant(),
                        entry.key(),
                        entry.encryptedContent(),
                        entry.expiresAt(),
                        entry.user() == null ? null : tokens.of(entry.tenant(), entry.user(), entry.key()),
                        entry.acceptedAt(),
                        entry.toolCallIds());
    }

    /// The sealed reasoning behind a tool call of this project, unless it has expired; an empty text when it was
    /// forgotten.
    public Optional<String> find(Owner owner, String toolCallId) {
        return sql.as(owner.tenant()).first(String.class, """
                select encrypted_content from turn_reasoning
                where tenant_id = ? and project = ? and tool_call_id = ? and expires_at > now()""", owner.tenant(), owner.project(), toolCallId);
    }

    /// Forgets the reasoning behind these tool calls of a project. That there was some is known until the entry
    /// would have expired.
    ///
    /// @param key id of an API key of the project
    public void forget(String tenant, String key, List<String> toolCallIds) {
        sql.as(tenant).update(FORGET, tenant, toolCallIds, key);
    }

    @Produces
    @Singleton
    BatchTask expired() {
        return BatchTask.deleting("turn_reasoning", "expires_at <= now()", sql);
    }
}
