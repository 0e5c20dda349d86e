package dev.counterpoint.audit.api;

import dev.counterpoint.audit.accesslog.AccessLogStore;
import dev.counterpoint.audit.accesslog.DeniedRequests;
import dev.counterpoint.audit.accesslog.FoundEntry;
import dev.counterpoint.audit.accesslog.StaffAccess;
import dev.counterpoint.audit.accesslog.StaffAccess.Action;
import dev.counterpoint.audit.accesslog.StaffAccess.Outcome;
import dev.counterpoint.audit.keys.EnvelopeKeys;
import dev.counterpoint.audit.log.LogPublisher;
import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.audit.records.Erasure;
import dev.counterpoint.audit.records.ErasureApprovals;
import dev.counterpoint.audit.records.ErasureDecision;
import dev.counterpoint.audit.records.ErasureReceipt;
import dev.counterpoint.audit.records.ErasureStore;
import dev.counterpoint.audit.records.FoundRecord;
import dev.counterpoint.audit.records.LostErasures;
import dev.counterpoint.audit.records.ReadResult;
import dev.counterpoint.audit.records.RecordStore;
import dev.counterpoint.audit.records.RequestedErasure;
import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.servicekit.ProblemException;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The actions of staff, each with its entry in the access log, in one transaction: when a method returns, the
/// entry is committed; when a method throws, nothing was done and nothing is shown.
@ApplicationScoped
class RecordService {
    private final RecordStore records;
    private final ErasureStore erasures;
    private final ErasureApprovals approvals;
    private final LostErasures lost;
    private final AccessLogStore accessLog;
    private final LogPublisher log;
    private final EnvelopeKeys keys;
    private final SecurityIdentity staff;
    private final TransactionRole role;
    private final CurrentVertxRequest http;

    RecordService(
            RecordStore records,
            ErasureStore erasures,
            ErasureApprovals approvals,
            LostErasures lost,
            AccessLogStore accessLog,
            LogPublisher log,
            EnvelopeKeys keys,
            SecurityIdentity staff,
            TransactionRole role,
            CurrentVertxRequest http) {
        this.http = http;
        this.role = role;
        this.records = records;
        this.erasures = erasures;
        this.approvals = approvals;
        this.lost = lost;
        this.accessLog = accessLog;
        this.log = log;
        this.keys = keys;
        this.staff = staff;
    }

    /// The result of reading, and the id of the entry that says so.
    record LoggedRead(ReadResult result, String accessEntry) {}

    @Transactional
    public ResultPage<FoundRecord> search(RecordSearchRequest request) {
        var wanted = request.where();
        int size = request.size();
        role.staff(Objects.requireNonNullElse(request.tenant(), TransactionRole.EVERY_TENANT));
        byte @Nullable [] token = token(request);
        boolean unknownSubject = request.whom() != null && token == null;
        List<FoundRecord> found =
                unknownSubject ? List.of() : records.search(wanted.equal("subjectToken", token), size + 1);
        var page = ResultPage.of(found, size, FoundRecord::seq);
        write(access(Action.SEARCH, found.isEmpty())
                .about(request.tenant(), request.responseId(), token)
                .with(page.data().size(), request.detail()));
        return page;
    }

    private byte @Nullable [] token(RecordSearchRequest request) {
        var tenant = request.tenant();
        var whom = request.whom();
        return tenant == null || whom == null ? null : keys.token(tenant, whom).orElse(null);
    }

    @Transactional
    public LoggedRead read(String response, Justification why) {
        role.staff(TransactionRole.EVERY_TENANT);
        var result = records.read(response);
        var outcome = switch (result) {
            case ReadResult.Opened _ -> Outcome.GRANTED;
            case ReadResult.Erased _ -> Outcome.ERASED;
            case ReadResult.Altered _ -> Outcome.ALTERED;
            case ReadResult.Absent _ -> Outcome.EMPTY;
        };
        var record = result.record();
        var access = StaffAccess.of(actor(), Action.READ, outcome)
                .about(record == null ? null : record.tenant(), response, null)
                .because(why.caseId(), why.reason())
                .with(result instanceof ReadResult.Opened ? 1 : 0, null);
        return new LoggedRead(result, write(access));
    }

    /// Writes the entry of a request that was refused for what it says, such as a reading without a valid reason.
    ///
    /// @param response the record that was meant, or null
    @Transactional
    public void refuse(Action action, @Nullable String response, ProblemException refusal) {
        var why = (AuditProblem) refusal.problem();
        write(StaffAccess.of(actor(), action, Outcome.DENIED)
                .about(null, response, null)
                .with(0, why.summary()));
    }

    /// True when an erasure wants a second person.
    boolean approvalDue() {
        return approvals.due();
    }

    @Transactional
    public RequestedErasure askErasure(ErasureRequest request) {
        var asked = approvals.ask(request.order(actor()));
        write(about(asked, Action.REQUEST_ERASURE, Outcome.GRANTED).with(0, "erasure=" + asked.id()));
        return asked;
    }

    /// @throws ProblemException 409 when no erasures are lost
    @Transactional
    public RequestedErasure askLost(LostErasuresRequest request) {
        var why = request.justification();
        var asked = approvals
                .askLost(actor(), why.caseId(), why.reason(), request.ids())
                .orElseThrow(() -> new ProblemException(AuditProblem.nothingLost()));
        write(about(asked, Action.REQUEST_ERASURE, Outcome.GRANTED)
                .with(asked.receipts().size(), "lost-erasures=" + asked.id()));
        return asked;
    }

    /// @throws ProblemException 409 while records stay closed because erasures were lost
    void requireErasuresKnown() {
        lost.requireNone();
    }

    @Transactional
    public ErasureDecision approve(String id) {
        return written(Action.ERASE, id, approvals.approve(id, actor()));
    }

    @Transactional
    public ErasureDecision cancel(String id) {
        return written(Action.CANCEL_ERASURE, id, approvals.cancel(id, actor()));
    }

    /// The decision with its entry, a refused one too.
    private ErasureDecision written(Action action, String id, ErasureDecision decision) {
        var detail = "erasure=" + id;
        write(
                switch (decision) {
                    case ErasureDecision.Erased(ErasureReceipt receipt) -> erased(receipt);
                    case ErasureDecision.Confirmed(RequestedErasure request) ->
                        about(request, action, Outcome.GRANTED)
                                .with(request.receipts().size(), "lost-erasures=" + id);
                    case ErasureDecision.Cancelled(RequestedErasure request) ->
                        about(request, action, Outcome.GRANTED).with(0, detail);
                    case ErasureDecision.SamePerson(RequestedErasure request) ->
                        about(request, action, Outcome.DENIED).with(0, detail + " same-person");
                    case ErasureDecision.NotOpen(RequestedErasure request) ->
                        about(request, action, Outcome.DENIED).with(0, detail + " " + request.status());
                    case ErasureDecision.Absent _ ->
                        StaffAccess.of(actor(), action, Outcome.EMPTY).with(0, detail);
                });
        return decision;
    }

    private StaffAccess erased(ErasureReceipt receipt) {
        return access(Action.ERASE, receipt.keysDestroyed() == 0)
                .about(receipt.tenant(), null, bytes(receipt.subjectToken()))
                .because(receipt.caseId(), receipt.reason())
                .with(Math.toIntExact(receipt.records()), "receipt=" + receipt.id());
    }

    private StaffAccess about(RequestedErasure request, Action action, Outcome outcome) {
        return StaffAccess.of(actor(), action, outcome)
                .about(request.tenant(), null, bytes(request.subjectToken()))
                .because(request.caseId(), request.reason());
    }

    private static byte @Nullable [] bytes(@Nullable String token) {
        return token == null ? null : HexFormat.of().parseHex(token);
    }

    /// The erasures that somebody may approve.
    @Transactional
    public List<RequestedErasure> openErasures(int atMost) {
        var open = approvals.open(atMost, staff.hasRole(StaffRoles.APPROVE));
        write(access(Action.READ_RECEIPT, open.isEmpty()).with(open.size(), "erasures=requested"));
        return open;
    }

    /// Erases at once, where no second person is wanted.
    @Transactional
    public ErasureReceipt erase(ErasureRequest request) {
        var receipt = erasures.erase(request.order(actor()));
        write(erased(receipt));
        return receipt;
    }

    @Transactional
    public Optional<Erasure> erasure(String id) {
        role.staff(TransactionRole.EVERY_TENANT);
        Optional<Erasure> found = erasures.find(id)
                .map(Erasure.class::cast)
                .or(() -> approvals.find(id, staff.hasRole(StaffRoles.APPROVE)));
        write(access(Action.READ_RECEIPT, found.isEmpty())
                .about(found.map(Erasure::tenant).orElse(null), null, null)
                .with(found.isEmpty() ? 0 : 1, "receipt=" + id));
        return found;
    }

    /// @throws ProblemException 404 for a consent that no gateway put on record
    @Transactional(dontRollbackOn = ProblemException.class)
    public ResultPage<FoundEntry> consent(String id) {
        role.staff(TransactionRole.EVERY_TENANT);
        var found = accessLog.consent(id);
        write(access(Action.READ_CONSENT, found.isEmpty()).with(found.size(), "consent=" + id));
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
        var page = ResultPage.of(accessLog.search(wanted, size + 1), size, FoundEntry::seq);
        write(access(Action.READ_ACCESS_LOG, page.data().isEmpty())
                .with(page.data().size(), parameters.detail()));
        return page;
    }

    /// @return id of the entry
    private String write(StaffAccess access) {
        log.requireSound();
        var entry = accessLog.write(access);
        DeniedRequests.written(http.getCurrent(), entry);
        return entry;
    }

    private StaffAccess access(Action action, boolean empty) {
        return StaffAccess.of(actor(), action, empty ? Outcome.EMPTY : Outcome.GRANTED);
    }

    private String actor() {
        return staff.getPrincipal().getName();
    }
}
