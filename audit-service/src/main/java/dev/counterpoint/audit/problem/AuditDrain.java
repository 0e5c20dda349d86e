package dev.counterpoint.audit.problem;

import dev.counterpoint.audit.config.AuditConfig;
import dev.counterpoint.servicekit.DrainSettings;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;

/// How this service drains: a logged reading completes before the service ends.
final class AuditDrain {
    private AuditDrain() {}

    @Produces
    @Singleton
    static DrainSettings settings(AuditConfig config) {
        return new DrainSettings(Duration.ZERO, config.drainTimeout(), AuditProblem.stopping());
    }
}
