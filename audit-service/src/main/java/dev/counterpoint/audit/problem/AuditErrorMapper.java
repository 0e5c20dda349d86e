package dev.counterpoint.audit.problem;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import dev.counterpoint.audit.accesslog.DeniedRequests;
import dev.counterpoint.audit.log.LogFaultException;
import dev.counterpoint.servicekit.HttpProblem;
import dev.counterpoint.servicekit.ProblemException;
import dev.counterpoint.servicekit.SafeStackTrace;
import dev.counterpoint.servicekit.UnstorableText;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.ForbiddenException;
import io.quarkus.security.UnauthorizedException;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Inject;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The one place where something thrown becomes an answer.
final class AuditErrorMapper {
    private static final Logger LOG = LoggerFactory.getLogger(AuditErrorMapper.class);

    private final DeniedRequests denials;

    @Inject
    AuditErrorMapper(DeniedRequests denials) {
        this.denials = denials;
    }

    /// Denied attempts are written down before they are answered. A page for who did not sign in yet is no attempt.
    @ServerExceptionMapper({AuthenticationFailedException.class, UnauthorizedException.class, ForbiddenException.class})
    public Uni<Response> denied(SecurityException thrown, RoutingContext http) {
        if (!(thrown instanceof ForbiddenException) && SignIn.helps(http)) {
            return SignIn.redirect(http);
        }
        var problem = thrown instanceof ForbiddenException ? AuditProblem.forbidden() : AuditProblem.unauthenticated();
        return denials.write(http).map(_ -> answer(problem));
    }

    /// Refused requests of named callers are logged too. The framework brings mappers for the listed types, and the
    /// nearest type wins.
    @ServerExceptionMapper({
        Throwable.class,
        WebApplicationException.class,
        NotFoundException.class,
        MismatchedInputException.class
    })
    public Uni<Response> map(Throwable thrown, RoutingContext http) {
        var problem = problem(thrown, http);
        return problem instanceof AuditProblem refusal && refusal.status() < 500
                ? denials.writeRefused(http, refusal.summary()).map(_ -> answer(problem))
                : Uni.createFrom().item(answer(problem));
    }

    private static Response answer(HttpProblem problem) {
        var answer = problem.toResponse();
        answer.getHeaders().putSingle("Cache-Control", "no-store");
        return answer;
    }

    private static HttpProblem problem(Throwable thrown, RoutingContext http) {
        return switch (thrown) {
            case ProblemException refusal -> refusal.problem();
            case JsonProcessingException wrong -> json(wrong);
            case WebApplicationException wrapper
            when wrapper.getCause() instanceof JsonProcessingException wrong -> json(wrong);
            case NotFoundException _ -> AuditProblem.notFound("This URL");
            case WebApplicationException wrong
            when wrong.getResponse().getStatus() < 500 ->
                AuditProblem.ofStatus(wrong.getResponse().getStatus());
            default -> failure(thrown, http);
        };
    }

    private static AuditProblem failure(Throwable thrown, RoutingContext http) {
        if (thrown instanceof LogFaultException fault) {
            return AuditProblem.logFault(fault.kind());
        }
        if (AuditProblem.OUTAGES.isOutage(thrown)) {
            LOG.warn("path={} unavailable cause={}", http.normalizedPath(), SafeStackTrace.name(thrown));
            return AuditProblem.unavailable();
        }
        if (UnstorableText.isBehind(thrown)) {
            return AuditProblem.unstorable();
        }
        LOG.error(
                "path={} error={}\n{}", http.normalizedPath(), SafeStackTrace.name(thrown), SafeStackTrace.of(thrown));
        return AuditProblem.serverError();
    }

    /// Jackson's own message quotes the body, so only the field is told.
    private static AuditProblem json(JsonProcessingException wrong) {
        return switch (wrong) {
            case UnrecognizedPropertyException unknown ->
                AuditProblem.unknownField(shortened(unknown.getPropertyName()));
            case JsonMappingException mistyped
            when !mistyped.getPath().isEmpty() ->
                AuditProblem.invalid(
                        shortened(String.valueOf(mistyped.getPath().getFirst().getFieldName())),
                        "a value of the type that the README names");
            default -> AuditProblem.notJson();
        };
    }

    private static String shortened(String name) {
        return name.length() <= 64 ? name : name.substring(0, 64) + "…";
    }
}
