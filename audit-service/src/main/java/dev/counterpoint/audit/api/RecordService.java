package dev.counterpoint.audit.api;

import dev.counterpoint.audit.accesslog.AccessLogStore;
import dev.counterpoint.audit.accesslog.FoundEntry;
import dev.counterpoint.audit.accesslog.StaffAccess.Action;
import dev.counterpoint.audit.accesslog.StaffAccess.Outcome;
import dev.counterpoint.audit.config.AuditConfig;
import dev.counterpoint.audit.keys.EnvelopeKeys;
import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.audit.records.FoundRecord;
import dev.counterpoint.audit.records.LostErasures;
import dev.counterpoint.audit.records.ReadResult;
import dev.counterpoint.audit.records.RecordStore;
import dev.counterpoint.audit.requests.ActionRequest;
import dev.counterpoint.audit.requests.ActionRequests;
import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.audit.store.WhereClause;
import dev.counterpoint.servicekit.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The actions of staff, each in one transaction with its access entry. When a method returns, the entry is committed.
/// When it throws, nothing was done and nothing is shown.
@ApplicationScoped
public class RecordService {
    private final RecordStore records;
    private final LostErasures lost;
    private final AccessLogStore accessLog;
    private final EnvelopeKeys keys;
    private final CurrentStaff staff;
    private final TransactionRole role;
    private final ActionRequests requests;
    private final boolean twoRead;

    RecordService(
            RecordStore records,
            LostErasures lost,
            AccessLogStore accessLog,
            EnvelopeKeys keys,
            CurrentStaff staff,
            TransactionRole role,
            ActionRequests requests,
            AuditConfig config) {
        this.role = role;
        this.requests = requests;
        twoRead = config.readApproval();
        this.records = records;
        this.lost = lost;
        this.accessLog = accessLog;
        this.keys = keys;
        this.staff = staff;
    }

    /// The result of a reading, and the id of its access entry.
    record LoggedRead(ReadResult result, String accessEntry) {}

    @Transactional
    public ResultPage<FoundRecord> search(RecordSearchRequest request) {
        var wanted = request.where();
        int size = request.size();
        role.staff(Objects.requireNonNullElse(request.tenant(), TransactionRole.EVERY_TENANT));
        byte @Nullable [] token = token(request);
        boolean unknownSubject = request.whom() != null && token == null;
        List<FoundRecord> found = unknownSubject
                ? List.of()
                : records.search(wanted.equal("subjectToken", token).in("tenant", staff.tenants()), size + 1);
        var page = ResultPage.of(found, size, FoundRecord::seq);
        staff.write(staff.access(Action.SEARCH, found.isEmpty())
                .about(request.tenant(), request.responseId(), token)
                .with(page.data().size(), request.detail()));
        return page;
    }

    private byte @Nullable [] token(RecordSearchRequest request) {
        var tenant = request.tenant();
        var whom = request.whom();
        return tenant == null || whom == null ? null : keys.token(tenant, whom).orElse(null);
    }

    /// @param grant id of the request that grants it; null where none is needed
    @Transactional
    public LoggedRead read(String response, Justification why, @Nullable String grant) {
        role.staff(TransactionRole.EVERY_TENANT);
        var found = records.read(response);
        var record = found.record();
        boolean seen = record == null || staff.sees(record.tenant());
        var result = seen ? found : new ReadResult.Absent();
        var outcome = switch (result) {
            case ReadResult.Opened _ -> Outcome.GRANTED;
            case ReadResult.Erased _ -> Outcome.ERASED;
            case ReadResult.Altered _ -> Outcome.ALTERED;
            case ReadResult.Absent _ -> seen ? Outcome.EMPTY : Outcome.DENIED;
        };
        var access = staff.access(Action.READ, outcome)
                .about(record == null ? null : record.tenant(), response, null)
                .because(why.caseId(), why.reason())
                .with(result instanceof ReadResult.Opened ? 1 : 0, null)
                .member("grant", grant);
        return new LoggedRead(result, staff.write(access));
    }

    /// Writes the entry of a request with invalid content, such as a reading without a valid reason.
    ///
    /// @param response the record that was meant, or null
    @Transactional
    public void refuse(Action action, @Nullable String response, ProblemException refusal) {
        var why = (AuditProblem) refusal.problem();
        staff.write(
                staff.access(action, Outcome.DENIED).about(null, response, null).with(0, why.summary()));
    }

    /// @throws ProblemException 409 while records stay closed because erasures were lost
    void requireErasuresKnown() {
        lost.requireNone();
    }

    /// Id of the request whose grant lets this one read the record; null where none is needed.
    ///
    /// @throws ProblemException 403 without one
    @Transactional
    public @Nullable String grant(String response) {
        if (!twoRead) {
            return null;
        }
        role.staff(TransactionRole.EVERY_TENANT);
        return requests.grant(staff.person(), response)
                .map(ActionRequest::id)
                .orElseThrow(() -> new ProblemException(AuditProblem.grantRequired()));
    }

    /// @throws ProblemException 404 for a consent that no gateway put on record
    @Transactional(dontRollbackOn = ProblemException.class)
    public ResultPage<FoundEntry> consent(String id) {
        role.staff(TransactionRole.EVERY_TENANT);
        var found = accessLog.consent(id).stream()
                .filter(entry -> staff.sees(entry.members().path("tenant").asText()))
                .toList();
        staff.write(staff.access(Action.READ_CONSENT, found.isEmpty()).with(found.size(), "consent=" + id));
        if (found.isEmpty()) {
            throw new ProblemException(AuditProblem.notFound("This consent"));
        }
        return new ResultPage<>(found, null);
    }

    @Transactional
    public ResultPage<FoundEntry> accesses(AccessLogParameters parameters) {
        var wanted = parameters.where();
        int size = parameters.size();
        role.staff(TransactionRole.EVERY_TENANT);
        var page =
                ResultPage.of(accessLog.search(wanted.in("tenant", staff.tenants()), size + 1), size, FoundEntry::seq);
        staff.write(staff.access(Action.READ_ACCESS_LOG, page.data().isEmpty())
                .with(page.data().size(), parameters.detail()));
        return page;
    }

    /// One entry of the access log.
    ///
    /// @throws ProblemException 404 for an entry that is not in the log, or not of this one's tenants
    @Transactional(dontRollbackOn = ProblemException.class)
    public FoundEntry access(String id) {
        role.staff(TransactionRole.EVERY_TENANT);
        var found = accessLog.search(new WhereClause().equal("id", id).in("tenant", staff.tenants()), 1).stream()
                .findFirst();
        staff.write(staff.access(Action.READ_ACCESS_LOG, found.isEmpty())
                .with(
                        found.isEmpty() ? 0 : 1,
                        new SearchDetail().field("entry", id).toString()));
        return found.orElseThrow(() -> new ProblemException(AuditProblem.notFound("This entry")));
    }
}
