package dev.counterpoint.audit.api;

import dev.counterpoint.audit.accesslog.AccessLogEntry;
import dev.counterpoint.audit.accesslog.AccessLogStore;
import dev.counterpoint.audit.accesslog.AccessQuery;
import dev.counterpoint.audit.accesslog.StaffAccess;
import dev.counterpoint.audit.accesslog.StaffAccess.Action;
import dev.counterpoint.audit.accesslog.StaffAccess.Outcome;
import dev.counterpoint.audit.keys.EnvelopeKeys;
import dev.counterpoint.audit.records.ErasureReceipt;
import dev.counterpoint.audit.records.ErasureStore;
import dev.counterpoint.audit.records.ReadResult;
import dev.counterpoint.audit.records.RecordQuery;
import dev.counterpoint.audit.records.RecordStore;
import dev.counterpoint.audit.records.StoredRecord;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What staff does, each with its entry in the access log, in one transaction: when a method returns, the entry is
/// committed; when it throws, nothing was done and nothing is shown.
@ApplicationScoped
class RecordService {
    private final RecordStore ledger;
    private final ErasureStore erasures;
    private final AccessLogStore log;
    private final EnvelopeKeys keys;
    private final SecurityIdentity staff;

    @Inject
    RecordService(
            RecordStore ledger, ErasureStore erasures, AccessLogStore log, EnvelopeKeys keys, SecurityIdentity staff) {
        this.ledger = ledger;
        this.erasures = erasures;
        this.log = log;
        this.keys = keys;
        this.staff = staff;
    }

    /// What came of a reading, and the entry that says so.
    record Read(ReadResult reading, String accessEntry) {}

    @Transactional
    public ResultPage<StoredRecord> search(RecordSearchRequest request) {
        int limit = FieldValidation.limit(request.limit());
        var tenant = request.tenant();
        byte @Nullable [] token = tenant == null
                ? null
                : request.whom().flatMap(whom -> keys.token(tenant, whom)).orElse(null);
        boolean unknownSubject = request.subject() != null && token == null;
        List<StoredRecord> found = unknownSubject ? List.of() : ledger.search(query(request, token, limit + 1));
        var page = ResultPage.of(found, limit, StoredRecord::seq);
        var outcome = found.isEmpty() ? Outcome.EMPTY : Outcome.GRANTED;
        log.write(StaffAccess.of(actor(), Action.SEARCH, outcome)
                .about(tenant, FieldValidation.response(request.response()), token)
                .with(page.data().size(), request.detail()));
        return page;
    }

    private static RecordQuery query(RecordSearchRequest request, byte @Nullable [] token, int atMost) {
        return new RecordQuery(
                request.tenant(),
                token,
                request.key(),
                request.model(),
                FieldValidation.response(request.response()),
                request.status(),
                FieldValidation.time("from", request.from()),
                FieldValidation.time("to", request.to()),
                FieldValidation.cursor(request.after()),
                atMost);
    }

    @Transactional
    public Read read(String response, Justification why) {
        var reading = ledger.read(response);
        var outcome = switch (reading) {
            case ReadResult.Opened _ -> Outcome.GRANTED;
            case ReadResult.Erased _ -> Outcome.ERASED;
            case ReadResult.Altered _ -> Outcome.ALTERED;
            case ReadResult.Absent _ -> Outcome.EMPTY;
        };
        var record = record(reading);
        var access = StaffAccess.of(actor(), Action.READ, outcome)
                .about(record.map(StoredRecord::tenant).orElse(null), response, null)
                .because(FieldValidation.caseId(why.caseId()), FieldValidation.reason(why.reason()))
                .with(reading instanceof ReadResult.Opened ? 1 : 0, null);
        return new Read(reading, log.write(access));
    }

    /// Writes down a reading without a case or a reason.
    @Transactional
    public void refuseToRead(String response, String detail) {
        log.write(StaffAccess.of(actor(), Action.READ, Outcome.DENIED)
                .about(null, response, null)
                .with(0, detail));
    }

    private static Optional<StoredRecord> record(ReadResult reading) {
        return switch (reading) {
            case ReadResult.Opened opened -> Optional.of(opened.record());
            case ReadResult.Erased erased -> Optional.of(erased.record());
            case ReadResult.Altered altered -> Optional.of(altered.record());
            case ReadResult.Absent _ -> Optional.empty();
        };
    }

    @Transactional
    public ErasureReceipt erase(ErasureRequest request) {
        var tenant = FieldValidation.required("tenant", request.tenant());
        var order = new ErasureStore.Order(
                actor(),
                FieldValidation.caseId(request.caseId()),
                FieldValidation.reason(request.reason()),
                tenant,
                request.whom());
        var receipt = erasures.erase(order);
        log.write(StaffAccess.of(actor(), Action.ERASE, receipt.keysDestroyed() == 0 ? Outcome.EMPTY : Outcome.GRANTED)
                .about(tenant, null, keys.token(tenant, order.subject()).orElse(null))
                .because(order.caseId(), order.reason())
                .with(Math.toIntExact(receipt.records()), "receipt=" + receipt.id()));
        return receipt;
    }

    @Transactional
    public Optional<ErasureReceipt> receipt(String id) {
        var receipt = erasures.find(id);
        log.write(StaffAccess.of(actor(), Action.READ_RECEIPT, receipt.isEmpty() ? Outcome.EMPTY : Outcome.GRANTED)
                .about(receipt.map(ErasureReceipt::tenant).orElse(null), null, null)
                .with(receipt.isEmpty() ? 0 : 1, "receipt=" + id));
        return receipt;
    }

    @Transactional
    public ResultPage<AccessLogEntry> accesses(AccessQuery wanted, int limit, String detail) {
        var page = ResultPage.of(log.search(wanted), limit, AccessLogEntry::seq);
        log.write(
                StaffAccess.of(actor(), Action.READ_ACCESS_LOG, page.data().isEmpty() ? Outcome.EMPTY : Outcome.GRANTED)
                        .with(page.data().size(), detail));
        return page;
    }

    private String actor() {
        return staff.getPrincipal().getName();
    }
}
