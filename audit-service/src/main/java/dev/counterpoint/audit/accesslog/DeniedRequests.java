package dev.counterpoint.audit.accesslog;

import dev.counterpoint.audit.accesslog.StaffAccess.Action;
import dev.counterpoint.audit.accesslog.StaffAccess.Outcome;
import dev.counterpoint.audit.config.AuditConfig;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.vertx.http.runtime.security.QuarkusHttpUser;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes denied requests to the access log: each request of a named caller, and the first anonymous requests of each
/// second. One entry each few seconds counts the others, so that outsiders can neither hide among them nor fill the
/// database. Thread-safe.
@ApplicationScoped
public class DeniedRequests {
    private static final Logger LOG = LoggerFactory.getLogger(DeniedRequests.class);
    private static final String NOBODY = "unauthenticated";
    private static final String WRITTEN = "counterpoint.entry-written";
    private static final int DETAIL_CHARACTERS_MAX = 200;

    private final AccessLogStore accessLog;
    private final IdentityProviderManager identities;
    private final MeterRegistry metrics;
    private final int anonymousPerSecond;
    private final AtomicLong untold = new AtomicLong();
    private long second;
    private int writtenInSecond;

    DeniedRequests(
            AccessLogStore accessLog, IdentityProviderManager identities, MeterRegistry metrics, AuditConfig config) {
        this.accessLog = accessLog;
        this.identities = identities;
        this.metrics = metrics;
        metrics.counter("audit.denials");
        anonymousPerSecond = config.anonymousDenialsPerSecond();
    }

    /// Completes when the attempt is written, or when writing failed; the request is denied either way.
    public Uni<Void> write(RoutingContext http) {
        metrics.counter("audit.denials").increment();
        var actor = actor(http);
        if (actor.isEmpty() && !anonymousMayBeWritten(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime()))) {
            untold.incrementAndGet();
            return Uni.createFrom().voidItem();
        }
        return write(http, attempt(actor.orElse(NOBODY), http, ""));
    }

    /// Says that the request has an entry.
    public static void written(RoutingContext http, String entry) {
        var entries = new ArrayList<>(entries(http));
        entries.add(entry);
        http.put(WRITTEN, List.copyOf(entries));
    }

    /// The ids of the request's entries.
    public static List<String> entries(RoutingContext http) {
        List<String> written = http.get(WRITTEN);
        return written == null ? List.of() : written;
    }

    /// Writes a refused request of a named caller, unless it is already logged. Completes as [#write] does.
    ///
    /// @param why code and field
    public Uni<Void> writeRefused(RoutingContext http, String why) {
        if (!entries(http).isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        return QuarkusHttpUser.getSecurityIdentity(http, identities)
                .onFailure()
                .recoverWithNull()
                .chain(caller -> caller == null || caller.isAnonymous()
                        ? Uni.createFrom().voidItem()
                        : write(http, attempt(caller.getPrincipal().getName(), http, " " + why)));
    }

    private static StaffAccess attempt(String actor, RoutingContext http, String more) {
        var what = shortened(http.request().method() + " " + http.normalizedPath());
        return StaffAccess.of(actor, Action.ATTEMPT, Outcome.DENIED).with(0, what + more);
    }

    /// The answer to a named caller waits until the entry is in the log.
    private Uni<Void> write(RoutingContext http, StaffAccess access) {
        return Uni.createFrom()
                .voidItem()
                .invoke(() -> {
                    var entry = accessLog.write(access);
                    if (!access.text("actor").equals(NOBODY)) {
                        written(http, entry);
                    }
                })
                .runSubscriptionOn(Infrastructure.getDefaultWorkerPool())
                .onFailure()
                .invoke(failure -> LOG.warn(
                        "denied attempt not written actor={} cause={}",
                        access.text("actor"),
                        failure.getClass().getName()))
                .onFailure()
                .recoverWithNull();
    }

    /// One entry for the anonymous requests that have none of their own.
    @Scheduled(every = "5s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    void summarize() {
        long denials = untold.getAndSet(0);
        if (denials == 0) {
            return;
        }
        try {
            accessLog.write(StaffAccess.of(NOBODY, Action.ATTEMPT, Outcome.DENIED)
                    .with(0, "denials=" + denials + " in the last seconds, beside those written one by one"));
        } catch (RuntimeException e) {
            untold.addAndGet(denials); // told with the next ones
            LOG.warn("denials={} not written cause={}", denials, e.getClass().getName());
        }
    }

    void stop(@Observes ShutdownEvent stop) {
        summarize();
    }

    private static Optional<String> actor(RoutingContext http) {
        return http.user() instanceof QuarkusHttpUser user
                        && !user.getSecurityIdentity().isAnonymous()
                ? Optional.of(user.getSecurityIdentity().getPrincipal().getName())
                : Optional.empty();
    }

    private static String shortened(String detail) {
        return detail.length() <= DETAIL_CHARACTERS_MAX ? detail : detail.substring(0, DETAIL_CHARACTERS_MAX);
    }

    /// Limits the entries without a name, so that nobody can fill the database from outside.
    private synchronized boolean anonymousMayBeWritten(long now) {
        if (now != second) {
            second = now;
            writtenInSecond = 0;
        }
        return ++writtenInSecond <= anonymousPerSecond;
    }
}
