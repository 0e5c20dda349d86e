package dev.counterpoint.audit.problem;

import dev.counterpoint.audit.config.AuditConfig;
import dev.counterpoint.servicekit.DrainTerms;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/// How this service drains: what was written down as read is read before it ends.
final class AuditDrain {
    private AuditDrain() {}

    @Produces
    @Singleton
    static DrainTerms terms(AuditConfig config) {
        return new DrainTerms(config.drainTimeout(), AuditProblem.stopping());
    }
}
