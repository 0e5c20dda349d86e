package dev.counterpoint.audit.api;

import dev.counterpoint.audit.accesslog.AccessLogStore;
import dev.counterpoint.audit.accesslog.DeniedRequests;
import dev.counterpoint.audit.accesslog.StaffAccess;
import dev.counterpoint.audit.accesslog.StaffAccess.Action;
import dev.counterpoint.audit.accesslog.StaffAccess.Outcome;
import dev.counterpoint.audit.log.LogPublisher;
import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.audit.requests.StaffPerson;
import dev.counterpoint.servicekit.ProblemException;
import io.quarkus.security.ForbiddenException;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.json.JsonArray;
import jakarta.json.JsonString;
import java.util.List;
import java.util.Objects;
import org.eclipse.microprofile.jwt.JsonWebToken;
import org.jspecify.annotations.Nullable;

/// The member of the staff who calls, by the token. Writes entries in the access log, in the open transaction;
/// the answer leaves once they are published. Thread-safe.
@ApplicationScoped
public class CurrentStaff {
    private static final String TENANTS = "counterpoint_tenants";

    private final SecurityIdentity identity;
    private final JsonWebToken accessToken;
    private final AccessLogStore accessLog;
    private final LogPublisher log;
    private final CurrentVertxRequest http;

    CurrentStaff(
            SecurityIdentity identity,
            JsonWebToken accessToken,
            AccessLogStore accessLog,
            LogPublisher log,
            CurrentVertxRequest http) {
        this.identity = identity;
        this.accessToken = accessToken;
        this.accessLog = accessLog;
        this.log = log;
        this.http = http;
    }

    public StaffPerson person() {
        var name = identity.getPrincipal().getName();
        return identity.getPrincipal() instanceof JsonWebToken token
                ? new StaffPerson(
                        name,
                        Objects.requireNonNullElse(token.getIssuer(), ""),
                        Objects.requireNonNullElse(token.getSubject(), name))
                : new StaffPerson(name, "", name);
    }

    public boolean has(String role) {
        return identity.hasRole(role);
    }

    /// @throws ForbiddenException without the role
    void require(String role) {
        if (!has(role)) {
            throw new ForbiddenException();
        }
    }

    /// The tenants whose rows exist for this one; null for all. A claim in a form that it should not have is none.
    /// Who signed in has the claim where the roles are: in the access token.
    @Nullable
    List<String> tenants() {
        Object claim = identity.getPrincipal() instanceof JsonWebToken ? accessToken.getClaim(TENANTS) : null;
        return switch (claim) {
            case null -> null;
            case JsonArray names ->
                names.stream()
                        .filter(JsonString.class::isInstance)
                        .map(name -> ((JsonString) name).getString())
                        .toList();
            default -> List.of();
        };
    }

    /// @param tenant null for no tenant in particular
    boolean sees(@Nullable String tenant) {
        var tenants = tenants();
        return tenants == null || (tenant != null && tenants.contains(tenant));
    }

    /// @throws ProblemException 404 for a tenant that does not exist for this one
    void requireSees(@Nullable String tenant) {
        if (!sees(tenant)) {
            throw new ProblemException(AuditProblem.notFound("This tenant"));
        }
    }

    StaffAccess access(Action action, Outcome outcome) {
        return StaffAccess.of(person().name(), action, outcome);
    }

    StaffAccess access(Action action, boolean empty) {
        return access(action, empty ? Outcome.EMPTY : Outcome.GRANTED);
    }

    /// @return id of the entry
    String write(StaffAccess access) {
        log.requireSound();
        return waitFor(accessLog.write(access));
    }

    void write(String id, StaffAccess access) {
        log.requireSound();
        waitFor(accessLog.write(id, access));
    }

    private String waitFor(String entry) {
        DeniedRequests.written(http.getCurrent(), entry);
        return entry;
    }
}
