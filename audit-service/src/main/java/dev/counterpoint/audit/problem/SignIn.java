package dev.counterpoint.audit.problem;

import io.quarkus.vertx.http.runtime.security.HttpAuthenticator;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.Response;
import java.util.Objects;

/// Sends a browser without a session to where people sign in.
public final class SignIn {
    private static final String CONSOLE = "/console";

    private SignIn() {}

    /// Whether the request is for the console.
    public static boolean concerns(RoutingContext http) {
        var path = http.normalizedPath();
        return path.equals(CONSOLE) || path.startsWith(CONSOLE + "/");
    }

    /// A form that comes too late is refused instead: what it says would be lost at the issuer.
    static boolean helps(RoutingContext http) {
        return concerns(http) && http.request().method().equals(HttpMethod.GET);
    }

    static Uni<Response> redirect(RoutingContext http) {
        var authenticator = Objects.requireNonNull((HttpAuthenticator) http.get(HttpAuthenticator.class.getName()));
        return authenticator.getChallenge(http).map(challenge -> {
            var answer = Response.status(challenge.status);
            if (challenge.headerName != null) {
                answer.header(challenge.headerName.toString(), challenge.headerContent);
            }
            return answer.build();
        });
    }
}
