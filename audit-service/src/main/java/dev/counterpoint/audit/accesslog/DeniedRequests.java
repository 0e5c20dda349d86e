package dev.counterpoint.audit.accesslog;

import dev.counterpoint.audit.accesslog.StaffAccess.Action;
import dev.counterpoint.audit.accesslog.StaffAccess.Outcome;
import dev.counterpoint.audit.config.AuditConfig;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.vertx.http.runtime.security.QuarkusHttpUser;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/// Writes down the requests that nothing allowed. Thread-safe.
@ApplicationScoped
public class DeniedRequests {
    private static final Logger LOG = Logger.getLogger(DeniedRequests.class);
    private static final String NOBODY = "unauthenticated";
    private static final int DETAIL_CHARACTERS_MAX = 200;

    private final AccessLogStore log;
    private final MeterRegistry metrics;
    private final int anonymousPerSecond;
    private long second;
    private int writtenInSecond;

    @Inject
    DeniedRequests(AccessLogStore log, MeterRegistry metrics, AuditConfig config) {
        this.log = log;
        this.metrics = metrics;
        anonymousPerSecond = config.anonymousDenialsPerSecond();
    }

    /// Done when the attempt is written down, or cannot be; it is denied either way.
    public Uni<Void> write(RoutingContext http) {
        metrics.counter("audit.denials").increment();
        var actor = actor(http);
        if (actor.isEmpty() && !anonymousMayBeWritten(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime()))) {
            return Uni.createFrom().voidItem();
        }
        var detail = http.request().method() + " " + http.normalizedPath();
        var access = StaffAccess.of(actor.orElse(NOBODY), Action.ATTEMPT, Outcome.DENIED)
                .with(
                        0,
                        detail.length() <= DETAIL_CHARACTERS_MAX ? detail : detail.substring(0, DETAIL_CHARACTERS_MAX));
        return Uni.createFrom()
                .<Void>item(() -> {
                    log.write(access);
                    return null;
                })
                .runSubscriptionOn(Infrastructure.getDefaultWorkerPool())
                .onFailure()
                .recoverWithItem(failure -> {
                    LOG.warnf(
                            "denied attempt not written actor=%s cause=%s",
                            access.actor(), failure.getClass().getName());
                    return null;
                });
    }

    private static Optional<String> actor(RoutingContext http) {
        return http.user() instanceof QuarkusHttpUser user
                ? Optional.of(user.getSecurityIdentity())
                        .filter(identity -> !identity.isAnonymous())
                        .map(SecurityIdentity::getPrincipal)
                        .map(principal -> principal.getName())
                : Optional.empty();
    }

    /// Only so many in a second.
    synchronized boolean anonymousMayBeWritten(long now) {
        if (now != second) {
            second = now;
            writtenInSecond = 0;
        }
        return ++writtenInSecond <= anonymousPerSecond;
    }
}
