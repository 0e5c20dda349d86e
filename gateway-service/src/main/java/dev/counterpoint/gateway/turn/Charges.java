package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.gateway.access.AuditSetting;
import dev.counterpoint.gateway.access.Caller;
import dev.counterpoint.gateway.access.Quotas;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Set;
import org.jboss.logging.Logger;

/// Counts what turns used against their tenant's quota. A count that cannot be written costs nobody an answer.
/// Thread-safe.
@ApplicationScoped
public class Charges {
    private static final Logger LOG = Logger.getLogger(Charges.class);

    private final Quotas quotas;

    @Inject
    Charges(Quotas quotas) {
        this.quotas = quotas;
    }

    /// @throws dev.counterpoint.gateway.problem.ProblemException 429 when nothing is left
    public void admit(Caller caller) {
        quotas.admit(caller);
    }

    public void charge(Caller caller, Ending ending) {
        var used = ending.used();
        if (used == null) {
            return;
        }
        try {
            quotas.charge(caller, (long) used.inputTokens() + used.outputTokens());
        } catch (RuntimeException e) {
            LOG.warnf(
                    "tenant=%s charge=lost error=%s",
                    caller.tenant(), e.getClass().getName());
        }
    }

    /// Who asked, as far as the log of a response remembers: no project, no scopes, and limits that are not known, so
    /// that all is counted.
    public static Caller remembered(Accepted accepted) {
        return new Caller(
                accepted.tenant(),
                "",
                accepted.key(),
                Set.of(),
                null,
                AuditSetting.NEVER,
                new Caller.Limits(null, Long.MAX_VALUE));
    }
}
