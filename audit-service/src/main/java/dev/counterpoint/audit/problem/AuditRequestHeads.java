package dev.counterpoint.audit.problem;

import dev.counterpoint.servicekit.HeadFault;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;

/// Refuses ambiguous heads, which two readers could take for different requests.
@ApplicationScoped
class AuditRequestHeads {
    private static final int BEFORE_THE_DRAIN = 9_500;
    private static final int BEFORE_THE_ERROR_PAGE = Integer.MAX_VALUE - 1;

    void register(@Observes Filters filters) {
        filters.register(AuditRequestHeads::check, BEFORE_THE_DRAIN);
    }

    /// A request without a host fails before the first filter.
    void register(@Observes Router router) {
        router.route().order(BEFORE_THE_ERROR_PAGE).failureHandler(AuditRequestHeads::check);
    }

    private static void check(RoutingContext http) {
        if (!HeadFault.refuse(http, List.of(), AuditProblem::head)) {
            http.next();
        }
    }
}
