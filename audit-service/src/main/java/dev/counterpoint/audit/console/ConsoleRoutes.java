package dev.counterpoint.audit.console;

import dev.counterpoint.audit.config.AuditConfig;
import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.audit.problem.SignIn;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Map;

/// Gives every answer below `/console` its headers, the redirects and refusals of others too. Without an issuer there
/// is no console.
@ApplicationScoped
class ConsoleRoutes {
    static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self';"
                    + " frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'",
            "Cache-Control",
            "no-store",
            "X-Content-Type-Options",
            "nosniff",
            "Referrer-Policy",
            "no-referrer",
            "Cross-Origin-Opener-Policy",
            "same-origin",
            "Cross-Origin-Resource-Policy",
            "same-origin");

    private static final int FIRST = 9_900;
    private final boolean on;

    ConsoleRoutes(AuditConfig config) {
        on = config.consoleIssuer().isPresent();
    }

    void register(@Observes Filters filters) {
        filters.register(this::begin, FIRST);
    }

    private void begin(RoutingContext http) {
        if (!SignIn.concerns(http)) {
            http.next();
            return;
        }
        http.addHeadersEndHandler(_ -> HEADERS.forEach(http.response().headers()::set));
        if (on) {
            http.next();
        } else {
            AuditProblem.notFound("This URL").write(http);
        }
    }
}
