package dev.counterpoint.audit.records;

import dev.counterpoint.audit.config.AuditConfig;
import dev.counterpoint.audit.keys.DataSubject;
import dev.counterpoint.audit.keys.EnvelopeKeys;
import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.audit.store.RowTime;
import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.servicekit.ProblemException;
import dev.counterpoint.servicekit.SafeStackTrace;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.hibernate.Session;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Erases subjects by destroying the keys of their records (crypto-shredding), and keeps the receipts. Thread-safe.
@ApplicationScoped
public class ErasureStore {
    private static final Logger LOG = LoggerFactory.getLogger(ErasureStore.class);
    private static final String FORGED = "an erasure that this service did not write stays out of the log receipt={}";

    private static final String PARTITIONS = """
            select distinct number from erasure, generate_series(0, 255) number where id in (:ids)
            and satisfies_hash_partition(cast('data_key' as regclass), 256, number, subject_token)""";

    private final EnvelopeKeys keys;
    private final RecordRepository records;
    private final ErasureRepository rows;
    private final ErasureRequestRepository requests;
    private final TransactionRole role;
    private final ErasureLog log;
    private final Duration framesGoneAfter;

    ErasureStore(
            EnvelopeKeys keys,
            RecordRepository records,
            ErasureRepository rows,
            ErasureRequestRepository requests,
            TransactionRole role,
            ErasureLog log,
            AuditConfig config) {
        this.keys = keys;
        this.records = records;
        this.rows = rows;
        this.requests = requests;
        this.role = role;
        this.log = log;
        framesGoneAfter = config.framesGoneAfter();
    }

    /// The order to erase a subject: who gives it, and why.
    public record Order(String actor, String caseId, String reason, String tenant, DataSubject subject) {}

    /// Destroys every key of a subject. Once that is committed, [#publish] brings it into the log of erasures.
    /// What was accepted until now is never stored with its content again; a record of a later response gets a
    /// new key. A second erasure destroys nothing, and its receipt says so.
    ///
    /// @throws ProblemException 404 when nothing was ever stored of the tenant
    @Transactional
    public ErasureReceipt erase(Order order) {
        requireKnown();
        role.erasing(order.tenant());
        var row = new ErasureRow();
        row.id = UUID.randomUUID().toString();
        row.actor = order.actor();
        row.caseId = order.caseId();
        row.reason = order.reason();
        row.tenant = order.tenant();
        return erase(row, token(order));
    }

    byte[] token(Order order) {
        return keys.token(order.tenant(), order.subject())
                .orElseThrow(() -> new ProblemException(AuditProblem.notFound("This tenant")));
    }

    /// Does the same for an erasure that one person has asked for and another one approves.
    @Transactional
    ErasureReceipt erase(ErasureRequestRow asked, String approver) {
        requireKnown();
        role.erasing(asked.tenant);
        var row = new ErasureRow();
        row.id = asked.id;
        row.actor = approver;
        row.requestedBy = asked.actor;
        row.caseId = asked.caseId;
        row.reason = asked.reason;
        row.tenant = asked.tenant;
        return erase(row, asked.subjectToken);
    }

    private ErasureReceipt erase(ErasureRow row, byte[] token) {
        var destroyed = keys.destroy(row.tenant, token);
        row.at = RowTime.now();
        row.subjectToken = token;
        row.keyIds = String.join(" ", destroyed);
        row.records = destroyed.isEmpty() ? 0 : records.count("dataKeyId in ?1", destroyed);
        row.purgedAt = destroyed.isEmpty() ? row.at : null;
        row.completeAt = row.at.plus(framesGoneAfter);
        row.sealed = log.seal(LoggedErasure.of(row, token, keys.wrapped(row.tenant)));
        rows.persistAndFlush(row);
        return ErasureReceipt.of(row, false);
    }

    /// @throws dev.counterpoint.servicekit.OutageException while not all erasures are known
    void requireKnown() {
        log.requireCurrent();
    }

    /// Tells of these records whether the subject was erased after the response was accepted: by the time in the
    /// response's id, to which the content is bound wherever it was sealed.
    Predicate<RecordRow> erased(Collection<RecordRow> records) {
        var found = rows.list(
                "subjectToken in ?1",
                records.stream().map(record -> record.subjectToken).toList());
        return record -> ResponseId.parse(record.response)
                .map(id -> Instant.ofEpochMilli(id.acceptedAtMillis()))
                .filter(acceptedAt -> log.names(record.tenant, record.subjectToken, acceptedAt)
                        || found.stream().anyMatch(row -> row.covers(record, acceptedAt)))
                .isPresent();
    }

    /// Ids of all erasures that the database knows.
    @Transactional
    Set<String> ids() {
        role.staff(TransactionRole.EVERY_TENANT);
        return rows.streamAll().map(row -> row.id).collect(Collectors.toSet());
    }

    /// Ids of erasures of the version before, which have no sealed entry.
    @Transactional
    Set<String> unsealed() {
        role.staff(TransactionRole.EVERY_TENANT);
        return rows.stream("sealed is null").map(row -> row.id).collect(Collectors.toSet());
    }

    /// Keeps the entry in the database, so that it outlives the log.
    @Transactional
    void seal(LoggedErasure entry) {
        role.staff(TransactionRole.EVERY_TENANT);
        rows.update("sealed = ?1 where id = ?2", log.seal(entry), entry.id());
    }

    /// Erases anew what the log names and this database, restored from before, does not know; the receipt comes
    /// back too.
    @Transactional
    void restore(LoggedErasure entry) {
        role.erasing(entry.tenant());
        if (rows.findByIdOptional(entry.id()).isPresent()) {
            return; // another replica was first
        }
        keys.restoreTenant(entry.tenant(), entry.tenantKeys());
        keys.destroyUntil(entry.tenant(), entry.subjectToken(), entry.at());
        var row = entry.row();
        row.sealed = log.seal(entry);
        rows.persistAndFlush(row);
        requests.update(
                "decision = ?1, decidedAt = ?2, decidedBy = ?3, sealedSubject = null where id = ?4 and decision = ?5",
                ErasureRequestRow.APPROVED,
                row.at,
                row.actor,
                row.id,
                ErasureRequestRow.REQUESTED);
    }

    /// Brings a committed erasure into the log; when that fails, the next reconciliation tries again. A row that
    /// this service did not seal never gets into the log.
    public void publish(String id) {
        try {
            sealedEntry(id).ifPresentOrElse(entry -> log.append(id, entry), () -> LOG.error(FORGED, id));
        } catch (MalformedMessageException forged) {
            LOG.error(FORGED, id);
        } catch (RuntimeException e) {
            LOG.warn("erasure is appended later receipt={} cause={}", id, SafeStackTrace.name(e));
        }
    }

    @Transactional
    Optional<byte[]> sealedEntry(String id) {
        role.staff(TransactionRole.EVERY_TENANT);
        return rows.findByIdOptional(id).flatMap(row -> Optional.ofNullable(row.sealed));
    }

    @Transactional
    public Optional<ErasureReceipt> find(String id) {
        return rows.findByIdOptional(id).map(row -> ErasureReceipt.of(row, log.holds(id)));
    }

    /// True when a receipt lists this key as destroyed.
    boolean destroyed(String tenant, byte[] subjectToken, String key) {
        return rows.find("tenant = ?1 and subjectToken = ?2", tenant, subjectToken).stream()
                .anyMatch(row -> row.keys().contains(key));
    }

    /// Ids of the erasures whose keys may still stand in deleted rows of the table's file.
    @Transactional
    List<String> notPurged() {
        role.staff(TransactionRole.EVERY_TENANT);
        return rows.find("purgedAt is null").stream().map(row -> row.id).toList();
    }

    /// The partitions of the table of keys in which the keys of these erasures stood.
    @Transactional
    List<Integer> keyPartitions(List<String> ids) {
        role.staff(TransactionRole.EVERY_TENANT);
        return rows.getEntityManager()
                .unwrap(Session.class)
                .createNativeQuery(PARTITIONS, Integer.class)
                .setParameter("ids", ids)
                .getResultList();
    }

    @Transactional
    void purged(List<String> ids) {
        role.staff(TransactionRole.EVERY_TENANT);
        rows.update("purgedAt = ?1 where id in ?2", RowTime.now(), ids);
    }
}
