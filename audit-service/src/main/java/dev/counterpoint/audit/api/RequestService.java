package dev.counterpoint.audit.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.audit.accesslog.StaffAccess.Action;
import dev.counterpoint.audit.accesslog.StaffAccess.Outcome;
import dev.counterpoint.audit.config.AuditConfig;
import dev.counterpoint.audit.keys.EnvelopeKeys;
import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.audit.records.ErasureReceipt;
import dev.counterpoint.audit.records.ErasureStore;
import dev.counterpoint.audit.records.HoldStore;
import dev.counterpoint.audit.records.LostErasures;
import dev.counterpoint.audit.records.RetentionClasses;
import dev.counterpoint.audit.requests.ActionRequest;
import dev.counterpoint.audit.requests.ActionRequests;
import dev.counterpoint.audit.requests.RequestedAction.ConfirmErasures;
import dev.counterpoint.audit.requests.RequestedAction.ConfirmRestore;
import dev.counterpoint.audit.requests.RequestedAction.Erase;
import dev.counterpoint.audit.requests.RequestedAction.EraseTenant;
import dev.counterpoint.audit.requests.RequestedAction.Export;
import dev.counterpoint.audit.requests.RequestedAction.Read;
import dev.counterpoint.audit.requests.RequestedAction.ReleaseHold;
import dev.counterpoint.audit.requests.RequestedAction.Scan;
import dev.counterpoint.audit.requests.StaffPerson;
import dev.counterpoint.audit.scan.ScanJobs;
import dev.counterpoint.audit.store.RowTime;
import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.audit.store.WhereClause;
import dev.counterpoint.servicekit.ProblemException;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.transaction.Transactional;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Requests for actions that take two persons: one asks, another one approves, either cancels. The action runs in the
/// transaction of the approval. When a method throws, nothing was done.
@ApplicationScoped
public class RequestService {
    private static final Logger LOG = LoggerFactory.getLogger(RequestService.class);

    private final ActionRequests requests;
    private final ErasureStore erasures;
    private final HoldStore holds;
    private final RetentionClasses retention;
    private final LostErasures lost;
    private final ScanJobs scans;
    private final WantedActions actions;
    private final EnvelopeKeys keys;
    private final CurrentStaff staff;
    private final TransactionRole role;
    private final boolean twoErase;
    private final boolean twoRead;

    RequestService(
            ActionRequests requests,
            ErasureStore erasures,
            HoldStore holds,
            RetentionClasses retention,
            LostErasures lost,
            ScanJobs scans,
            WantedActions actions,
            EnvelopeKeys keys,
            CurrentStaff staff,
            TransactionRole role,
            AuditConfig config) {
        this.requests = requests;
        this.erasures = erasures;
        this.holds = holds;
        this.retention = retention;
        this.lost = lost;
        this.scans = scans;
        this.actions = actions;
        this.keys = keys;
        this.staff = staff;
        this.role = role;
        twoErase = config.erasureApproval();
        twoRead = config.readApproval();
    }

    void atStart(@Observes StartupEvent start) {
        if (!twoErase) {
            LOG.warn("erasures persons=1: one person asks for an erasure and makes it (audit.erasure-approval=false)");
        }
    }

    /// A request as staff sees it.
    ///
    /// @param erased the receipt of the erasure that the call made; null when it made none
    record Answer(ObjectNode request, @Nullable ErasureReceipt erased) {
        private Answer(ObjectNode request) {
            this(request, null);
        }
    }

    /// @throws ProblemException when a member breaks its rule, or the requested object does not exist
    @Transactional
    public Answer ask(NewRequest body) {
        staff.require(body.wanted().role);
        var why = body.justification();
        var id = UUID.randomUUID().toString();
        var person = staff.person();
        var sealed = new HashMap<String, byte[]>();
        var action = actions.of(body, id, sealed);
        staff.write(
                id,
                requests.asking(id, person, action, sealed)
                        .because(why.caseId(), why.reason())
                        .with(actions.count(action, RowTime.now()), null));
        var asked = requests.find(id).orElseThrow();
        if (action instanceof Read read) {
            if (read.emergency()) {
                LOG.error("emergency: a record is read before a second person approves request={}", id);
            } else if (!twoRead) {
                decide(asked, Action.APPROVE, null, false);
            }
            return new Answer(shown(requests.find(id).orElseThrow(), false));
        }
        if (twoErase || !(action instanceof Erase)) {
            return new Answer(shown(asked, false));
        }
        var held = held(asked, false);
        if (held != null) {
            throw new ProblemException(held);
        }
        var erased = run(asked, person);
        return new Answer(shown(requests.find(id).orElseThrow(), false), erased);
    }

    /// Approves a request, and runs what it asks for.
    ///
    /// @param override whether an erasure may take records before the minimum of their class
    @Transactional(dontRollbackOn = ProblemException.class)
    public Answer approve(String id, String reason, boolean override) {
        var person = staff.person();
        var asked = open(id, Action.APPROVE);
        requireOther(asked, Action.APPROVE);
        var held = held(asked, override);
        if (held != null) {
            throw refused(asked, Action.APPROVE, held);
        }
        decide(asked, Action.APPROVE, reason, override);
        var erased = run(asked, person);
        return new Answer(shown(requests.find(id).orElseThrow(), false), erased);
    }

    /// The reason why the action may not run now; null if it may.
    private @Nullable AuditProblem held(ActionRequest request, boolean override) {
        var action = request.action();
        if (!(action instanceof Erase || action instanceof EraseTenant)) {
            return override ? AuditProblem.invalid("override_retention", "absent unless records are erased") : null;
        }
        return holds.uncertainty(action.tenant())
                .or(() -> holds.holding(action).map(AuditProblem::held))
                .or(() -> retention.minimum(action).filter(_ -> !override).map(AuditProblem::retentionMinimum))
                .orElse(null);
    }

    /// Runs an action that is approved.
    private @Nullable ErasureReceipt run(ActionRequest request, StaffPerson approver) {
        return switch (request.action()) {
            case Erase _, EraseTenant _ -> erasures.erase(request, approver);
            case ConfirmErasures confirmation -> {
                lost.confirm(request, confirmation, approver);
                yield null;
            }
            case ReleaseHold release -> {
                holds.release(request, release, approver);
                yield null;
            }
            case ConfirmRestore restore -> {
                holds.confirm(request, restore, approver);
                yield null;
            }
            case Scan _ -> {
                scans.start(request.id());
                yield null;
            }
            case Export _, Read _ -> null; // the decision is the grant
        };
    }

    @Transactional(dontRollbackOn = ProblemException.class)
    public Answer cancel(String id, @Nullable String reason) {
        var asked = open(id, Action.CANCEL);
        if (asked.status() == ActionRequest.Status.IN_REVIEW) {
            requireOther(asked, Action.CANCEL);
        }
        decide(asked, Action.CANCEL, reason, false);
        return new Answer(shown(requests.find(id).orElseThrow(), false));
    }

    /// The request, while nobody else decides it.
    private ActionRequest open(String id, Action action) {
        role.staff(TransactionRole.EVERY_TENANT);
        var found = requests.findForDecision(id)
                .filter(request -> staff.sees(request.action().tenant()));
        if (found.isEmpty()) {
            staff.write(staff.access(action, Outcome.EMPTY).with(0, "request=" + id));
            throw new ProblemException(AuditProblem.notFound("This request"));
        }
        var asked = found.get();
        boolean ends = action == Action.CANCEL && asked.grantedUntil().isPresent();
        if (!asked.open() && !ends) {
            throw refused(
                    asked,
                    action,
                    AuditProblem.notRequested(asked.status().name().toLowerCase(Locale.ROOT)));
        }
        return asked;
    }

    private void requireOther(ActionRequest asked, Action action) {
        if (asked.by().isSame(staff.person())) {
            throw refused(asked, action, AuditProblem.secondPerson());
        }
    }

    private ProblemException refused(ActionRequest request, Action action, AuditProblem problem) {
        staff.write(requests.deciding(request, staff.person(), action, Outcome.DENIED)
                .with(0, problem.summary()));
        return new ProblemException(problem);
    }

    private void decide(ActionRequest request, Action action, @Nullable String reason, boolean override) {
        var decision = requests.deciding(request, staff.person(), action, Outcome.GRANTED)
                .member("case_id", request.caseId())
                .member("reason", reason)
                .member("override_retention", override ? true : null);
        requests.decided(request, action, staff.write(decision));
    }

    /// @param open only those that somebody may still decide
    @Transactional
    public List<ObjectNode> newest(boolean open, int atMost) {
        role.staff(TransactionRole.EVERY_TENANT);
        var found = requests.newest(new WhereClause().in("tenant", staff.tenants()), open, atMost);
        staff.write(staff.access(Action.READ_REQUEST, found.isEmpty()).with(found.size(), open ? "open" : null));
        return found.stream().map(request -> shown(request, true)).toList();
    }

    /// @throws ProblemException 404 for a request that is not there
    @Transactional(dontRollbackOn = ProblemException.class)
    public ObjectNode find(String id) {
        role.staff(TransactionRole.EVERY_TENANT);
        var found =
                requests.find(id).filter(request -> staff.sees(request.action().tenant()));
        staff.write(staff.access(Action.READ_REQUEST, found.isEmpty())
                .about(found.map(request -> request.action().tenant()).orElse(null), null, null)
                .with(found.isEmpty() ? 0 : 1, "request=" + id));
        return found.map(request -> shown(request, true))
                .orElseThrow(() -> new ProblemException(AuditProblem.notFound("This request")));
    }

    /// @param named whether the caller may approve and so sees the subject's name
    private ObjectNode shown(ActionRequest request, boolean named) {
        var tenant = request.action().tenant();
        var sealed = request.sealedName();
        var name = named && sealed != null && staff.has(StaffRoles.APPROVE)
                ? keys.openName(tenant, request.id(), sealed)
                : null;
        var shown =
                request.shown().put("subject", name).put("records", actions.count(request.action(), request.askedAt()));
        if (!staff.has(StaffRoles.APPROVE) && !request.by().equals(staff.person())) {
            shown.remove(List.of("literals", "pattern"));
        }
        return shown.putPOJO("result", result(request));
    }

    /// The result of an approved request's action.
    private @Nullable Object result(ActionRequest request) {
        return switch (request.action()) {
            case Erase _, EraseTenant _ -> erasures.find(request.id()).orElse(null);
            case Scan _ -> scans.result(request, request.by().equals(staff.person()));
            case ConfirmErasures _, ConfirmRestore _, ReleaseHold _, Read _, Export _ -> null;
        };
    }

    /// @throws ProblemException 404 for a receipt that is not there
    @Transactional(dontRollbackOn = ProblemException.class)
    public ErasureReceipt receipt(String id) {
        role.staff(TransactionRole.EVERY_TENANT);
        var found = erasures.find(id).filter(receipt -> staff.sees(receipt.tenant()));
        staff.write(staff.access(Action.READ_RECEIPT, found.isEmpty())
                .about(found.map(ErasureReceipt::tenant).orElse(null), null, null)
                .with(found.isEmpty() ? 0 : 1, "receipt=" + id));
        return found.orElseThrow(() -> new ProblemException(AuditProblem.notFound("This receipt")));
    }

    @Transactional
    public List<ErasureReceipt> receipts(int atMost) {
        role.staff(TransactionRole.EVERY_TENANT);
        var found = erasures.newest(new WhereClause().in("tenant", staff.tenants()), atMost);
        staff.write(staff.access(Action.READ_RECEIPT, found.isEmpty()).with(found.size(), null));
        return found;
    }
}
