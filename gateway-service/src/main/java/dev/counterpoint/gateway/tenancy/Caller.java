package dev.counterpoint.gateway.tenancy;

import dev.counterpoint.gateway.config.ReasoningMode;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.store.Owner;
import dev.counterpoint.servicekit.ProblemException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The tenant and the API key behind a request, and their rights. Holds no secret.
///
/// @param tenant id of the tenant, as in `tenant_…`
/// @param project of the API key within its tenant; what one project stores or seals is not there for another
/// @param key id of the API key, as in `key_…`
/// @param scopes as granted; [Scope#REASONING_RAW] implies the summary
/// @param auditOptIn id of the tenant's audit opt-in, or null when it has none
/// @param audit what the key says about keeping raw traces
/// @param limited whether the tenant or the key has limits, so that requests are counted
/// @param writtenSummaries whether a model may write summaries of reasoning: the tenant opted in, and the deployment
///     allows it
public record Caller(
        String tenant,
        String project,
        String key,
        Set<Scope> scopes,
        @Nullable String auditOptIn,
        AuditSetting audit,
        boolean limited,
        boolean writtenSummaries) {
    public Caller {
        scopes = Set.copyOf(scopes);
    }

    /// Without written summaries.
    public Caller(
            String tenant,
            String project,
            String key,
            Set<Scope> scopes,
            @Nullable String auditOptIn,
            AuditSetting audit,
            boolean limited) {
        this(tenant, project, key, scopes, auditOptIn, audit, limited, false);
    }

    /// Whose all is that is stored for this caller.
    public Owner owner() {
        return new Owner(tenant, project);
    }

    /// The same without any right to reasoning.
    public Caller withoutScopes() {
        return new Caller(tenant, project, key, Set.of(), auditOptIn, audit, limited);
    }

    /// @throws ProblemException 403 that names the scope, when the key does not have it
    public Caller requiring(Scope scope) {
        if (!scopes.contains(scope)) {
            throw new ProblemException(Problem.missingScope(scope.wireName()));
        }
        return this;
    }

    public boolean mayRead(ReasoningMode mode) {
        return switch (mode) {
            case NONE -> true;
            case SUMMARY -> scopes.contains(Scope.REASONING_SUMMARY) || scopes.contains(Scope.REASONING_RAW);
            case FULL -> scopes.contains(Scope.REASONING_RAW);
        };
    }

    /// Settles what reasoning a request gets.
    ///
    /// @param asked what the request names, or null when it names none: then a key with raw reasoning gets
    ///     that, and any other key the deployment's default as far as it allows
    /// @param usual the deployment's default
    /// @throws ProblemException 403 that names the missing scope, when more is asked than the key allows
    public ReasoningMode reasoning(@Nullable ReasoningMode asked, ReasoningMode usual) {
        if (asked == null) {
            return withinScopes(mayRead(ReasoningMode.FULL) ? ReasoningMode.FULL : usual);
        }
        if (!mayRead(asked)) {
            var scope = asked == ReasoningMode.FULL ? Scope.REASONING_RAW : Scope.REASONING_SUMMARY;
            throw new ProblemException(Problem.missingScope(scope.wireName()));
        }
        return asked;
    }

    /// The opt-in by which the raw trace of a response is kept for compliance staff; empty when it is not.
    ///
    /// @param asked the request's `reasoning_encrypt`, or null when it has none
    public Optional<String> auditedBy(@Nullable Boolean asked) {
        return audit.keeps(asked) ? Optional.ofNullable(auditOptIn) : Optional.empty();
    }

    private ReasoningMode withinScopes(ReasoningMode wanted) {
        if (mayRead(wanted)) {
            return wanted;
        }
        return mayRead(ReasoningMode.SUMMARY) ? ReasoningMode.SUMMARY : ReasoningMode.NONE;
    }
}
