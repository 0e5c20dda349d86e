package dev.counterpoint.audit.api;

import dev.counterpoint.audit.accesslog.AccessLogEntry;
import dev.counterpoint.audit.accesslog.AccessLogStore;
import dev.counterpoint.audit.accesslog.StaffAccess;
import dev.counterpoint.audit.accesslog.StaffAccess.Action;
import dev.counterpoint.audit.accesslog.StaffAccess.Outcome;
import dev.counterpoint.audit.keys.EnvelopeKeys;
import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.audit.records.ErasureReceipt;
import dev.counterpoint.audit.records.ErasureStore;
import dev.counterpoint.audit.records.FoundRecord;
import dev.counterpoint.audit.records.ReadResult;
import dev.counterpoint.audit.records.RecordStore;
import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.servicekit.ProblemException;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
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
    private final AccessLogStore accessLog;
    private final EnvelopeKeys keys;
    private final SecurityIdentity staff;
    private final TransactionRole role;

    @Inject
    RecordService(
            RecordStore records,
            ErasureStore erasures,
            AccessLogStore accessLog,
            EnvelopeKeys keys,
            SecurityIdentity staff,
            TransactionRole role) {
        this.role = role;
        this.records = records;
        this.erasures = erasures;
        this.accessLog = accessLog;
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
        boolean unknownSubject = request.subject() != null && token == null;
        List<FoundRecord> found =
                unknownSubject ? List.of() : records.search(wanted.equal("subjectToken", token), size + 1);
        var page = ResultPage.of(found, size, FoundRecord::seq);
        accessLog.write(access(Action.SEARCH, found.isEmpty())
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
        return new LoggedRead(result, accessLog.write(access));
    }

    /// Writes the entry of a request that was refused for what it says, such as a reading without a valid reason.
    ///
    /// @param response the record that was meant, or null
    @Transactional
    public void refuse(Action action, @Nullable String response, ProblemException refusal) {
        var why = (AuditProblem) refusal.problem();
        accessLog.write(StaffAccess.of(actor(), action, Outcome.DENIED)
                .about(null, response, null)
                .with(0, why.code() + " " + why.field()));
    }

    @Transactional
    public ErasureReceipt erase(ErasureRequest request) {
        var order = request.order(actor());
        var receipt = erasures.erase(order);
        var token = keys.token(order.tenant(), order.subject()).orElse(null);
        accessLog.write(access(Action.ERASE, receipt.keysDestroyed() == 0)
                .about(order.tenant(), null, token)
                .because(order.caseId(), order.reason())
                .with(Math.toIntExact(receipt.records()), "receipt=" + receipt.id()));
        return receipt;
    }

    @Transactional
    public Optional<ErasureReceipt> receipt(String id) {
        role.staff(TransactionRole.EVERY_TENANT);
        var receipt = erasures.find(id);
        accessLog.write(access(Action.READ_RECEIPT, receipt.isEmpty())
                .about(receipt.map(ErasureReceipt::tenant).orElse(null), null, null)
                .with(receipt.isEmpty() ? 0 : 1, "receipt=" + id));
        return receipt;
    }

    @Transactional
    public ResultPage<AccessLogEntry> accesses(AccessLogParameters parameters) {
        var wanted = parameters.where();
        int size = parameters.size();
        role.staff(TransactionRole.EVERY_TENANT);
        var page = ResultPage.of(accessLog.search(wanted, size + 1), size, AccessLogEntry::seq);
        accessLog.write(access(Action.READ_ACCESS_LOG, page.data().isEmpty())
                .with(page.data().size(), parameters.detail()));
        return page;
    }

    private StaffAccess access(Action action, boolean empty) {
        return StaffAccess.of(actor(), action, empty ? Outcome.EMPTY : Outcome.GRANTED);
    }

    private String actor() {
        return staff.getPrincipal().getName();
    }
}
