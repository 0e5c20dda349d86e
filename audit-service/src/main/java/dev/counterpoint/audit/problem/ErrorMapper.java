package dev.counterpoint.audit.problem;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import dev.counterpoint.audit.accesslog.DeniedRequests;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.ForbiddenException;
import io.quarkus.security.UnauthorizedException;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Inject;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/// The one place where something thrown becomes an answer.
final class ErrorMapper {
    private static final Logger LOG = Logger.getLogger(ErrorMapper.class);

    private final DeniedRequests denials;

    @Inject
    ErrorMapper(DeniedRequests denials) {
        this.denials = denials;
    }

    /// Denied attempts are written down before they are answered.
    @ServerExceptionMapper({AuthenticationFailedException.class, UnauthorizedException.class, ForbiddenException.class})
    public Uni<Response> denied(SecurityException thrown, RoutingContext http) {
        var problem = thrown instanceof ForbiddenException ? Problem.forbidden() : Problem.unauthenticated();
        return denials.write(http).map(_ -> answer(problem));
    }

    /// The framework brings mappers for the listed types, and the nearest type wins.
    @ServerExceptionMapper({
        Throwable.class,
        WebApplicationException.class,
        NotFoundException.class,
        MismatchedInputException.class
    })
    public Response map(Throwable thrown, RoutingContext http) {
        return answer(problem(thrown, http));
    }

    private static Response answer(Problem problem) {
        var answer = Response.status(problem.status())
                .type(MediaType.APPLICATION_JSON_TYPE)
                .header("Cache-Control", "no-store")
                .entity(problem.body());
        problem.headers().forEach(answer::header);
        return answer.build();
    }

    private static Problem problem(Throwable thrown, RoutingContext http) {
        return switch (thrown) {
            case ProblemException refusal -> refusal.problem();
            case JsonProcessingException wrong -> json(wrong);
            case WebApplicationException wrapper
            when wrapper.getCause() instanceof JsonProcessingException wrong -> json(wrong);
            case NotFoundException _ -> Problem.notFound("This URL");
            case WebApplicationException wrong
            when wrong.getResponse().getStatus() < 500 ->
                Problem.ofStatus(wrong.getResponse().getStatus());
            default -> failure(thrown, http);
        };
    }

    private static Problem failure(Throwable thrown, RoutingContext http) {
        if (Outage.isBehind(thrown)) {
            LOG.warnf("path=%s unavailable cause=%s", http.normalizedPath(), Stack.name(thrown));
            return Problem.unavailable();
        }
        LOG.errorf("path=%s error=%s\n%s", http.normalizedPath(), Stack.name(thrown), Stack.of(thrown));
        return Problem.serverError();
    }

    /// Jackson's own message quotes the body, so only the field is told.
    private static Problem json(JsonProcessingException wrong) {
        return switch (wrong) {
            case UnrecognizedPropertyException unknown -> Problem.unknownField(shortened(unknown.getPropertyName()));
            case JsonMappingException mistyped
            when !mistyped.getPath().isEmpty() ->
                Problem.invalid(
                        shortened(String.valueOf(mistyped.getPath().getFirst().getFieldName())),
                        "a value of the type that the README names");
            default -> Problem.notJson();
        };
    }

    private static String shortened(String name) {
        return name.length() <= 64 ? name : name.substring(0, 64) + "…";
    }
}
