package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.gateway.access.AuditSetting;
import dev.counterpoint.gateway.access.Caller;
import dev.counterpoint.gateway.access.Quotas;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Set;
import org.jboss.logging.Logger;

/// Counts what turns used against their tenant's quota. Thread-safe.
///
/// A turn with a row is charged with the row's ending, in one transaction: once, however many gateways bring
/// it to its end. A turn without one is charged by the gateway whose client it answers and by no other: once,
/// or not at all where that gateway dies between the end and the charge. That is to the client's good, as is a
/// count that cannot be written, which costs nobody an answer.
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

    /// What a turn costs.
    ///
    /// @param tokens input and output together; 0 when nobody counted
    public record Bill(Caller caller, long tokens) {
        public static Bill of(Caller caller, Ending ending) {
            var used = ending.used();
            return new Bill(caller, used == null ? 0 : (long) used.inputTokens() + used.outputTokens());
        }
    }

    /// Charges a turn with a row, within the transaction that writes the row's first ending.
    void book(Bill bill) {
        quotas.charge(bill.caller, bill.tokens);
    }

    /// Charges a turn without a row.
    public void charge(Bill bill) {
        try {
            quotas.charge(bill.caller, bill.tokens);
        } catch (RuntimeException e) {
            LOG.warnf(
                    "tenant=%s charge=lost error=%s",
                    bill.caller.tenant(), e.getClass().getName());
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
