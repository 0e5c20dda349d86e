package dev.counterpoint.audit.records;

import dev.counterpoint.audit.keys.DataSubject;
import dev.counterpoint.audit.keys.EnvelopeKeys;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// Erases subjects by destroying the keys of their records, and keeps the receipts. Thread-safe.
@ApplicationScoped
public class ErasureStore {
    private final EnvelopeKeys keys;
    private final RecordRepository records;
    private final ErasureRepository rows;

    @Inject
    ErasureStore(EnvelopeKeys keys, RecordRepository records, ErasureRepository rows) {
        this.keys = keys;
        this.records = records;
        this.rows = rows;
    }

    /// Who asks for an erasure, and why.
    public record Order(String actor, String caseId, String reason, String tenant, DataSubject subject) {}

    /// Destroys every key of a subject. What is written of it later gets a new one. Doing it again destroys nothing and
    /// says so.
    @Transactional
    public ErasureReceipt erase(Order order) {
        var token = keys.token(order.tenant(), order.subject());
        List<String> destroyed =
                token.map(known -> keys.destroy(order.tenant(), known)).orElse(List.of());
        var row = new ErasureRow();
        row.id = UUID.randomUUID().toString();
        row.at = now();
        row.actor = order.actor();
        row.caseId = order.caseId();
        row.reason = order.reason();
        row.tenant = order.tenant();
        row.subjectToken = token.orElse(null);
        row.keyIds = String.join(" ", destroyed);
        row.records = destroyed.isEmpty() ? 0 : records.count("dataKeyId in ?1", destroyed);
        row.purgedAt = destroyed.isEmpty() ? row.at : null;
        rows.persistAndFlush(row);
        return ErasureReceipt.of(row);
    }

    @Transactional
    public Optional<ErasureReceipt> find(String id) {
        return rows.findByIdOptional(id).map(ErasureReceipt::of);
    }

    /// Whether a receipt says that this key was destroyed. A key that is gone without one was taken away.
    boolean destroyed(String tenant, byte[] subjectToken, String key) {
        return rows.find("tenant = ?1 and subjectToken = ?2", tenant, subjectToken).stream()
                .anyMatch(row -> List.of(row.keyIds.split(" ")).contains(key));
    }

    /// Receipts whose space on disk is still to be written anew.
    @Transactional
    List<String> notPurged() {
        return rows.find("purgedAt is null").stream().map(row -> row.id).toList();
    }

    @Transactional
    void purged(List<String> ids) {
        rows.update("purgedAt = ?1 where id in ?2", now(), ids);
    }

    private static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }
}
