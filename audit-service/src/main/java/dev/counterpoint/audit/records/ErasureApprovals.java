package dev.counterpoint.audit.records;

import dev.counterpoint.audit.config.AuditConfig;
import dev.counterpoint.audit.keys.EnvelopeKeys;
import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.audit.store.RowTime;
import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.servicekit.ProblemException;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.transaction.Transactional;
import java.text.Normalizer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Erasures that take two persons: one asks, another one approves, either cancels. A request that nobody approves
/// in time expires. Requests name no subject, only its token. Methods join the caller's transaction or open one.
/// Thread-safe.
@ApplicationScoped
public class ErasureApprovals {
    private static final Logger LOG = LoggerFactory.getLogger(ErasureApprovals.class);

    /// Cyrillic and Greek letters that Unicode's list of confusables (UTS 39) takes for a Latin one, in lower case.
    private static final String LOOK_ALIKES = "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb"
            + "\u0501\u051b\u051d\u0432\u043a\u043c\u043d\u0442\u03b1\u03b2\u03b5\u03b9"
            + "\u03ba\u03bc\u03bf\u03c1\u03c4\u03c5\u03c7\u03b6";

    private static final String LATIN = "aeopcyxijshdqwbkmhtabeikmoptyxz";

    private final ErasureStore erasures;
    private final ErasureRequestRepository rows;
    private final RecordRepository records;
    private final EnvelopeKeys keys;
    private final TransactionRole role;
    private final Duration lifetime;
    private final boolean due;
    private final LostErasures lost;

    ErasureApprovals(
            ErasureStore erasures,
            ErasureRequestRepository rows,
            RecordRepository records,
            EnvelopeKeys keys,
            TransactionRole role,
            LostErasures lost,
            AuditConfig config) {
        this.erasures = erasures;
        this.rows = rows;
        this.records = records;
        this.keys = keys;
        this.role = role;
        this.lost = lost;
        lifetime = config.erasureRequestLifetime();
        due = config.erasureApproval();
    }

    void atStart(@Observes StartupEvent start) {
        if (!due) {
            LOG.warn("erasures persons=1: whoever may ask for an erasure erases alone (audit.erasure-approval=false)");
        }
    }

    /// True when an erasure wants a second person.
    public boolean due() {
        return due;
    }

    /// Asks for an erasure; nothing is erased by that.
    ///
    /// @throws ProblemException 404 when nothing was ever stored of the tenant
    /// @throws dev.counterpoint.servicekit.OutageException while not all erasures are known
    @Transactional
    public RequestedErasure ask(ErasureStore.Order order) {
        erasures.requireKnown();
        role.erasing(order.tenant());
        var row = row(order.actor(), order.caseId(), order.reason());
        row.tenant = order.tenant();
        row.subjectToken = erasures.token(order);
        row.sealedSubject = keys.sealName(row.tenant, row.id, order.subject().name());
        rows.update("sealedSubject = null where sealedSubject is not null and expiresAt <= ?1", row.at);
        return kept(row);
    }

    private ErasureRequestRow row(String actor, String caseId, String reason) {
        var row = new ErasureRequestRow();
        row.id = UUID.randomUUID().toString();
        row.at = RowTime.now();
        row.actor = actor;
        row.caseId = caseId;
        row.reason = reason;
        row.expiresAt = row.at.plus(lifetime);
        row.decision = ErasureRequestRow.REQUESTED;
        return row;
    }

    private RequestedErasure kept(ErasureRequestRow row) {
        rows.persistAndFlush(row);
        return shown(row);
    }

    /// Says which erasures a restore lost, by the receipts of those that were made again; nothing is confirmed by
    /// that.
    ///
    /// @return empty when none are lost, or they are confirmed
    /// @throws ProblemException when a receipt does not exist
    @Transactional
    public Optional<RequestedErasure> askLost(String actor, String caseId, String reason, List<String> receipts) {
        role.staff(TransactionRole.EVERY_TENANT);
        return lost.unconfirmed().map(since -> {
            receipts.forEach(this::requireReceipt);
            var row = row(actor, caseId, reason);
            row.tenant = TransactionRole.EVERY_TENANT;
            row.subjectToken = new byte[0];
            row.lostSince = since;
            row.receipts = String.join(" ", receipts);
            return kept(row);
        });
    }

    private void requireReceipt(String id) {
        if (erasures.find(id).isEmpty()) {
            throw new ProblemException(AuditProblem.invalid("receipts", "ids of erasures that are approved"));
        }
    }

    /// Erases what another person has asked for, or confirms a list of lost erasures.
    @Transactional
    public ErasureDecision approve(String id, String approver) {
        var asked = row(id);
        if (asked.isEmpty()) {
            return new ErasureDecision.Absent();
        }
        var row = asked.get();
        if (samePerson(row.actor, approver)) {
            return new ErasureDecision.SamePerson(shown(row));
        }
        if (!decided(row, ErasureRequestRow.APPROVED, approver)) {
            return new ErasureDecision.NotOpen(shown(row));
        }
        return row.lostSince == null
                ? new ErasureDecision.Erased(erasures.erase(row, approver))
                : new ErasureDecision.Confirmed(shown(row));
    }

    @Transactional
    public ErasureDecision cancel(String id, String actor) {
        var asked = row(id);
        if (asked.isEmpty()) {
            return new ErasureDecision.Absent();
        }
        boolean cancelled = decided(asked.get(), ErasureRequestRow.CANCELLED, actor);
        var request = shown(asked.get());
        return cancelled ? new ErasureDecision.Cancelled(request) : new ErasureDecision.NotOpen(request);
    }

    /// The requests that somebody may still approve, the last one first.
    ///
    /// @param named whether to show the subjects' names
    @Transactional
    public List<RequestedErasure> open(int atMost, boolean named) {
        role.staff(TransactionRole.EVERY_TENANT);
        return rows
                .find("decision = ?1 and expiresAt > ?2 order by at desc", ErasureRequestRow.REQUESTED, RowTime.now())
                .range(0, atMost - 1)
                .stream()
                .map(row -> shown(row, named))
                .toList();
    }

    /// @param named whether to show the subject's name
    @Transactional
    public Optional<RequestedErasure> find(String id, boolean named) {
        return row(id).map(row -> shown(row, named));
    }

    private Optional<ErasureRequestRow> row(String id) {
        role.staff(TransactionRole.EVERY_TENANT);
        return rows.findByIdOptional(id);
    }

    /// True for the first decision; of two at once the second one waits and finds it decided.
    private boolean decided(ErasureRequestRow row, String decision, String actor) {
        var now = RowTime.now();
        int first = rows.update(
                "decision = ?1, decidedAt = ?2, decidedBy = ?3, sealedSubject = null"
                        + " where id = ?4 and decision = ?5 and expiresAt > ?2",
                decision,
                now,
                actor,
                row.id,
                ErasureRequestRow.REQUESTED);
        rows.getEntityManager().refresh(row);
        return first == 1;
    }

    private RequestedErasure shown(ErasureRequestRow row) {
        return shown(row, false);
    }

    private RequestedErasure shown(ErasureRequestRow row, boolean named) {
        var sealed = row.sealedSubject;
        boolean open = named && row.expiresAt.isAfter(RowTime.now());
        return RequestedErasure.of(
                row,
                records.count("tenant = ?1 and subjectToken = ?2", row.tenant, row.subjectToken),
                open && sealed != null ? keys.openName(row.tenant, row.id, sealed) : null);
    }

    /// Names that differ in case, width or letters that look alike count as one person: a second token with such a
    /// name is no second pair of eyes.
    private static boolean samePerson(String one, String other) {
        return folded(one).equals(folded(other));
    }

    private static String folded(String name) {
        return Normalizer.normalize(name, Normalizer.Form.NFKC)
                .toLowerCase(Locale.ROOT)
                .codePoints()
                .map(letter -> {
                    int found = LOOK_ALIKES.indexOf(letter);
                    return found < 0 ? letter : LATIN.charAt(found);
                })
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
