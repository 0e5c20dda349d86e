package dev.counterpoint.audit.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.audit.accesslog.StaffAccess.Action;
import dev.counterpoint.audit.accesslog.StaffAccess.Outcome;
import dev.counterpoint.audit.keys.EnvelopeKeys;
import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.audit.records.HoldStore;
import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.audit.store.WhereClause;
import dev.counterpoint.servicekit.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Places and lists holds, each with its entry in the access log, in one transaction.
@ApplicationScoped
public class HoldService {
    private final HoldStore holds;
    private final EnvelopeKeys keys;
    private final CurrentStaff staff;
    private final TransactionRole role;

    HoldService(HoldStore holds, EnvelopeKeys keys, CurrentStaff staff, TransactionRole role) {
        this.holds = holds;
        this.keys = keys;
        this.staff = staff;
        this.role = role;
    }

    /// No erasure of the tenant runs meanwhile: it either ended before the hold or the hold refuses it.
    ///
    /// @throws ProblemException when a member breaks its rule, or the tenant does not exist
    @Transactional
    public ObjectNode place(NewHold body) {
        var scope = body.scope();
        var why = body.justification();
        var tenant = scope.tenant();
        staff.requireSees(tenant);
        role.erasing(tenant);
        if (!keys.knows(tenant)) {
            throw new ProblemException(AuditProblem.notFound("This tenant"));
        }
        if (body.person()) {
            var token = HexFormat.of().formatHex(keys.token(tenant, body.whom()).orElseThrow());
            scope = new HoldStore.Scope(tenant, token, null, null, null, null);
        }
        var id = UUID.randomUUID().toString();
        staff.write(id, scope.on(staff.access(Action.HOLD, Outcome.GRANTED)).because(why.caseId(), why.reason()));
        return holds.find(id).orElseThrow().shown();
    }

    @Transactional
    public List<ObjectNode> newest(@Nullable String tenant, int atMost) {
        role.staff(TransactionRole.EVERY_TENANT);
        var found = holds.newest(new WhereClause().equal("tenant", tenant).in("tenant", staff.tenants()), atMost);
        staff.write(staff.access(Action.READ_HOLD, found.isEmpty())
                .about(tenant, null, null)
                .with(found.size(), null));
        return found.stream().map(HoldStore.Hold::shown).toList();
    }
}
