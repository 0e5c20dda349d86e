package dev.counterpoint.audit.staff;

import dev.counterpoint.audit.access.Access;
import dev.counterpoint.audit.access.Access.Action;
import dev.counterpoint.audit.access.Access.Outcome;
import dev.counterpoint.audit.access.AccessLog;
import dev.counterpoint.audit.access.AccessQuery;
import dev.counterpoint.audit.access.AccessView;
import dev.counterpoint.audit.ledger.Erasures;
import dev.counterpoint.audit.ledger.Ledger;
import dev.counterpoint.audit.ledger.Reading;
import dev.counterpoint.audit.ledger.Receipt;
import dev.counterpoint.audit.ledger.RecordQuery;
import dev.counterpoint.audit.ledger.StoredRecord;
import dev.counterpoint.audit.vault.DataKeys;
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
class Desk {
    private final Ledger ledger;
    private final Erasures erasures;
    private final AccessLog log;
    private final DataKeys keys;
    private final SecurityIdentity staff;

    @Inject
    Desk(Ledger ledger, Erasures erasures, AccessLog log, DataKeys keys, SecurityIdentity staff) {
        this.ledger = ledger;
        this.erasures = erasures;
        this.log = log;
        this.keys = keys;
        this.staff = staff;
    }

    /// What came of a reading, and the entry that says so.
    record Read(Reading reading, String accessEntry) {}

    @Transactional
    public Page<StoredRecord> search(SearchRequest request) {
        int limit = Check.limit(request.limit());
        var tenant = request.tenant();
        byte @Nullable [] token = tenant == null
                ? null
                : request.whom().flatMap(whom -> keys.token(tenant, whom)).orElse(null);
        boolean unknownSubject = request.subject() != null && token == null;
        List<StoredRecord> found = unknownSubject ? List.of() : ledger.search(query(request, token, limit + 1));
        var page = Page.of(found, limit, StoredRecord::seq);
        var outcome = found.isEmpty() ? Outcome.EMPTY : Outcome.GRANTED;
        log.write(Access.of(actor(), Action.SEARCH, outcome)
                .about(tenant, Check.response(request.response()), token)
                .with(page.data().size(), request.detail()));
        return page;
    }

    private static RecordQuery query(SearchRequest request, byte @Nullable [] token, int atMost) {
        return new RecordQuery(
                request.tenant(),
                token,
                request.key(),
                request.model(),
                Check.response(request.response()),
                request.status(),
                Check.time("from", request.from()),
                Check.time("to", request.to()),
                Check.cursor(request.after()),
                atMost);
    }

    @Transactional
    public Read read(String response, Justification why) {
        var reading = ledger.read(response);
        var outcome = switch (reading) {
            case Reading.Opened _ -> Outcome.GRANTED;
            case Reading.Erased _ -> Outcome.ERASED;
            case Reading.Altered _ -> Outcome.ALTERED;
            case Reading.Absent _ -> Outcome.EMPTY;
        };
        var record = record(reading);
        var access = Access.of(actor(), Action.READ, outcome)
                .about(record.map(StoredRecord::tenant).orElse(null), response, null)
                .because(Check.caseId(why.caseId()), Check.reason(why.reason()))
                .with(reading instanceof Reading.Opened ? 1 : 0, null);
        return new Read(reading, log.write(access));
    }

    /// Writes down a reading without a case or a reason.
    @Transactional
    public void refuseToRead(String response, String detail) {
        log.write(Access.of(actor(), Action.READ, Outcome.DENIED)
                .about(null, response, null)
                .with(0, detail));
    }

    private static Optional<StoredRecord> record(Reading reading) {
        return switch (reading) {
            case Reading.Opened opened -> Optional.of(opened.record());
            case Reading.Erased erased -> Optional.of(erased.record());
            case Reading.Altered altered -> Optional.of(altered.record());
            case Reading.Absent _ -> Optional.empty();
        };
    }

    @Transactional
    public Receipt erase(ErasureRequest request) {
        var tenant = Check.required("tenant", request.tenant());
        var order = new Erasures.Order(
                actor(), Check.caseId(request.caseId()), Check.reason(request.reason()), tenant, request.whom());
        var receipt = erasures.erase(order);
        log.write(Access.of(actor(), Action.ERASE, receipt.keysDestroyed() == 0 ? Outcome.EMPTY : Outcome.GRANTED)
                .about(tenant, null, keys.token(tenant, order.subject()).orElse(null))
                .because(order.caseId(), order.reason())
                .with(Math.toIntExact(receipt.records()), "receipt=" + receipt.id()));
        return receipt;
    }

    @Transactional
    public Optional<Receipt> receipt(String id) {
        var receipt = erasures.find(id);
        log.write(Access.of(actor(), Action.READ_RECEIPT, receipt.isEmpty() ? Outcome.EMPTY : Outcome.GRANTED)
                .about(receipt.map(Receipt::tenant).orElse(null), null, null)
                .with(receipt.isEmpty() ? 0 : 1, "receipt=" + id));
        return receipt;
    }

    @Transactional
    public Page<AccessView> accesses(AccessQuery wanted, int limit, String detail) {
        var page = Page.of(log.search(wanted), limit, AccessView::seq);
        log.write(Access.of(actor(), Action.READ_ACCESS_LOG, page.data().isEmpty() ? Outcome.EMPTY : Outcome.GRANTED)
                .with(page.data().size(), detail));
        return page;
    }

    private String actor() {
        return staff.getPrincipal().getName();
    }
}
