package dev.counterpoint.audit.records;

import dev.counterpoint.audit.config.AuditConfig;
import dev.counterpoint.audit.problem.AuditProblem;
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
/// which they were ([ErasureApprovals#askLost]). The service's wellness is down meanwhile. Thread-safe.
@Default
@Wellness
@ApplicationScoped
public class LostErasures implements HealthCheck {
    private final ErasureRequestRepository rows;
    private final TransactionRole role;
    private final Optional<Instant> since;
    private volatile boolean confirmed;

    LostErasures(ErasureRequestRepository rows, TransactionRole role, AuditConfig config) {
        this.rows = rows;
        this.role = role;
        since = config.erasuresLostSince();
        confirmed = since.isEmpty();
    }

    /// The time after which erasures may be undone; empty when none are, or once they are confirmed.
    @Transactional
    public Optional<Instant> unconfirmed() {
        if (!confirmed) {
            role.staff(TransactionRole.EVERY_TENANT);
            confirmed = rows.count("decision = ?1 and lostSince = ?2", ErasureRequestRow.APPROVED, since.get()) > 0;
        }
        return confirmed ? Optional.empty() : since;
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
