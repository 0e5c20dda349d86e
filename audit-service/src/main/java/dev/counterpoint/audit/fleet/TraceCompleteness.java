package dev.counterpoint.audit.fleet;

import dev.counterpoint.audit.accesslog.AccessLogStore;
import dev.counterpoint.audit.accesslog.StaffAccess.Action;
import dev.counterpoint.audit.config.AuditConfig;
import dev.counterpoint.audit.log.Sequencer;
import dev.counterpoint.audit.store.TransactionRole;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.smallrye.health.api.Wellness;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.hibernate.Session;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Compares closings with records once a minute (`findings` in the database). A finding is an event of the log and
/// marks the response for review. For a week, health names responses that are missing or unconfirmed. Thread-safe.
@Wellness
@ApplicationScoped
class TraceCompleteness implements HealthCheck {
    private static final Logger LOG = LoggerFactory.getLogger(TraceCompleteness.class);
    /// Nothing stays longer on the bus.
    private static final Duration WEEK = Duration.ofDays(7);
    private static final long LAG_MILLIS_MAX = 60_000;
    private static final int BLOCK = 1_000;
    private static final int NAMED = 10;

    private final Session database;
    private final AccessLogStore accessLog;
    private final AuditHeartbeat intake;
    private final TransactionRole role;
    private final Sequencer log;
    private final double patienceSeconds;
    private Instant lookedUntil = Instant.EPOCH;
    private volatile List<Object[]> open = List.of();

    TraceCompleteness(
            Session database,
            AccessLogStore accessLog,
            AuditHeartbeat intake,
            TransactionRole role,
            Sequencer log,
            AuditConfig config,
            MeterRegistry metrics) {
        this.database = database;
        this.accessLog = accessLog;
        this.intake = intake;
        this.role = role;
        this.log = log;
        patienceSeconds = config.framesGoneAfter().toMillis() / 1_000.0;
        for (var action : List.of("missing", "unconfirmed")) {
            metrics.gauge("counterpoint.audit.records." + action, this, self -> self.count(action));
        }
    }

    @Scheduled(every = "60s", delayed = "60s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    @RunOnVirtualThread
    void look() {
        try {
            look(Instant.now());
        } catch (RuntimeException e) {
            LOG.warn("records are not compared cause={}", e.getClass().getSimpleName());
        }
    }

    synchronized void look(Instant now) {
        var week = now.minus(WEEK);
        if (intake.lagMillis() < LAG_MILLIS_MAX) {
            QuarkusTransaction.requiringNew().run(() -> flag(lookedUntil.isAfter(week) ? lookedUntil : week, now));
        }
        log.publish();
        open = QuarkusTransaction.requiringNew().call(() -> {
            role.staff(TransactionRole.EVERY_TENANT);
            return database.createNativeQuery("select * from open_findings(:since) limit " + BLOCK, Object[].class)
                    .setParameter("since", week)
                    .getResultList();
        });
    }

    private void flag(Instant since, Instant until) {
        role.staff(TransactionRole.EVERY_TENANT);
        var found = database.createNativeQuery("""
                select * from findings(:since, :until, :patience) f
                where not exists (select 1 from event e where e.id = f.action || '_' || f.response) limit\
                """ + " " + BLOCK, Object[].class)
                .setParameter("since", since)
                .setParameter("until", until)
                .setParameter("patience", patienceSeconds)
                .getResultList();
        for (var one : found) {
            LOG.warn("record is {} responseId={}", one[2], one[0]);
            var action = Action.valueOf(((String) one[2]).toUpperCase(Locale.ROOT));
            accessLog.flag(action, (String) one[1], (String) one[0], (String) one[3]);
        }
        lookedUntil = found.size() < BLOCK ? until : lookedUntil;
    }

    private long count(String action) {
        return open.stream().filter(one -> one[1].equals(action)).count();
    }

    @Override
    public HealthCheckResponse call() {
        var answer = HealthCheckResponse.named("records and closings");
        open.stream().limit(NAMED).forEach(one -> answer.withData((String) one[0], (String) one[1]));
        return answer.status(open.isEmpty()).build();
    }
}
