package dev.counterpoint.audit.api;

import dev.counterpoint.audit.accesslog.StaffAccess.Action;
import dev.counterpoint.audit.accesslog.StaffAccess.Outcome;
import dev.counterpoint.audit.export.ExportWriter.Written;
import dev.counterpoint.audit.log.EventStore;
import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.audit.records.LostErasures;
import dev.counterpoint.audit.requests.ActionRequest;
import dev.counterpoint.audit.requests.ActionRequests;
import dev.counterpoint.audit.requests.RequestedAction.Export;
import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.servicekit.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Instant;

/// Decides who downloads an export. Each try has its entry.
@ApplicationScoped
class ExportService {
    private final ActionRequests requests;
    private final LostErasures lost;
    private final EventStore events;
    private final CurrentStaff staff;
    private final TransactionRole role;

    ExportService(
            ActionRequests requests, LostErasures lost, EventStore events, CurrentStaff staff, TransactionRole role) {
        this.requests = requests;
        this.lost = lost;
        this.events = events;
        this.staff = staff;
        this.role = role;
    }

    /// An export that the caller may download.
    record Granted(ActionRequest request, Export export) {}

    /// @throws ProblemException for anybody but who asked, and without an approval that still counts
    @Transactional(dontRollbackOn = ProblemException.class)
    public Granted granted(String id) {
        role.staff(TransactionRole.EVERY_TENANT);
        var request = requests.find(id)
                .filter(found -> found.action() instanceof Export
                        && staff.sees(found.action().tenant()))
                .orElse(null);
        if (request == null || !(request.action() instanceof Export export)) {
            staff.write(staff.access(Action.EXPORT, Outcome.EMPTY).with(0, "request=" + id));
            throw new ProblemException(AuditProblem.notFound("This export"));
        }
        if (!request.by().equals(staff.person())) {
            throw refused(request, AuditProblem.notRequester());
        }
        if (request.grantedUntil().isEmpty()) {
            throw refused(request, AuditProblem.notGranted());
        }
        lost.requireNone();
        return new Granted(request, export);
    }

    /// Puts a download on record, before its first byte leaves.
    ///
    /// @param since when the writing began
    /// @throws ProblemException when the approval, or a person whose records it may hold, went meanwhile
    @Transactional(dontRollbackOn = ProblemException.class)
    public void written(Granted granted, Written export, Instant since) {
        var request = granted(granted.request.id()).request;
        var tenant = granted.export.tenant();
        if (!events.current("tenant = ?1 and action = ?2 and at >= ?3", tenant, Action.ERASE.wireName(), since)
                .isEmpty()) {
            throw refused(request, AuditProblem.erasedMeanwhile());
        }
        staff.write(staff.access(Action.EXPORT, export.records() == 0)
                .about(tenant, null, null)
                .because(request.caseId(), request.reason())
                .with(export.records(), "opened=" + export.opened())
                .member("request", request.id())
                .member("manifest", export.manifest()));
    }

    private ProblemException refused(ActionRequest request, AuditProblem problem) {
        staff.write(staff.access(Action.EXPORT, Outcome.DENIED)
                .about(request.action().tenant(), null, null)
                .with(0, problem.summary())
                .member("request", request.id()));
        return new ProblemException(problem);
    }
}
