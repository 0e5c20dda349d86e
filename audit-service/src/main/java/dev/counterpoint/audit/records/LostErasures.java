package dev.counterpoint.audit.records;

import dev.counterpoint.audit.accesslog.AccessLogStore;
import dev.counterpoint.audit.accesslog.StaffAccess;
import dev.counterpoint.audit.accesslog.StaffAccess.Action;
import dev.counterpoint.audit.accesslog.StaffAccess.Outcome;
import dev.counterpoint.audit.config.AuditConfig;
import dev.counterpoint.audit.log.EventStore;
import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.audit.requests.ActionRequest;
import dev.counterpoint.audit.requests.RequestedAction.ConfirmErasures;
import dev.counterpoint.audit.requests.StaffPerson;
import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.servicekit.ProblemException;
import io.smallrye.health.api.Wellness;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Default;
import jakarta.transaction.Transactional;
import java.time.Instant;
import java.util.Optional;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;

/// Keeps records closed after a restore that lost the erasures since its backup, until two persons have confirmed
/// which they were ([ConfirmErasures]). The service's wellness is down meanwhile. Thread-safe.
@Default
@Wellness
@ApplicationScoped
public class LostErasures implements HealthCheck {
    private static final String LOST_SINCE = "lost_since";

    private final EventStore events;
    private final AccessLogStore accessLog;
    private final TransactionRole role;
    private final Optional<Instant> since;
    private volatile boolean confirmed;

    LostErasures(EventStore events, AccessLogStore accessLog, TransactionRole role, AuditConfig config) {
        this.events = events;
        this.accessLog = accessLog;
        this.role = role;
        since = config.erasuresLostSince();
        confirmed = since.isEmpty();
    }

    /// The time after which erasures may be undone; empty when none are, or once they are confirmed.
    @Transactional
    public Optional<Instant> unconfirmed() {
        if (!confirmed) {
            role.staff(TransactionRole.EVERY_TENANT);
            confirmed = events.verified("action = ?1", Action.ERASURES_CONFIRMED.wireName()).stream()
                    .anyMatch(event -> event.body()
                            .path(LOST_SINCE)
                            .asText()
                            .equals(since.get().toString()));
        }
        return confirmed ? Optional.empty() : since;
    }

    /// Puts on record which erasures were lost, as an approved request says it.
    public void confirm(ActionRequest request, ConfirmErasures action, StaffPerson approver) {
        accessLog.write(StaffAccess.of(approver.name(), Action.ERASURES_CONFIRMED, Outcome.GRANTED)
                .because(request.caseId(), request.reason())
                .with(action.receipts().size(), "lost-erasures=" + request.id())
                .member("request", request.id())
                .member(LOST_SINCE, action.lostSince()));
    }

    /// @throws ProblemException 409 while [#unconfirmed]
    public void requireNone() {
        unconfirmed().ifPresent(lost -> {
            throw new ProblemException(AuditProblem.erasuresLost(lost));
        });
    }

    @Override
    public HealthCheckResponse call() {
        var lost = unconfirmed();
        var answer = HealthCheckResponse.named("lost erasures").status(lost.isEmpty());
        lost.ifPresent(time -> answer.withData("lost since", time.toString()));
        return answer.build();
    }
}
