package dev.counterpoint.audit.records;

import dev.counterpoint.audit.keys.DataSubject;
import dev.counterpoint.audit.keys.EnvelopeKeys;
import dev.counterpoint.audit.store.RowTime;
import dev.counterpoint.audit.store.TransactionRole;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// Erases subjects by destroying the keys of their records (crypto-shredding), and keeps the receipts. Thread-safe.
@ApplicationScoped
public class ErasureStore {
    private final EnvelopeKeys keys;
    private final RecordRepository records;
    private final ErasureRepository rows;
    private final TransactionRole role;

    @Inject
    ErasureStore(EnvelopeKeys keys, RecordRepository records, ErasureRepository rows, TransactionRole role) {
        this.role = role;
        this.keys = keys;
        this.records = records;
        this.rows = rows;
    }

    /// The order to erase a subject: who gives it, and why.
    public record Order(String actor, String caseId, String reason, String tenant, DataSubject subject) {}

    /// Destroys every key of a subject. A record that comes later gets a new key. A second erasure destroys
    /// nothing, and its receipt says so.
    @Transactional
    public ErasureReceipt erase(Order order) {
        role.erasing(order.tenant());
        var token = keys.token(order.tenant(), order.subject());
        List<String> destroyed =
                token.map(known -> keys.destroy(order.tenant(), known)).orElse(List.of());
        var row = new ErasureRow();
        row.id = UUID.randomUUID().toString();
        row.at = RowTime.now();
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

    @Transactional
    void purged(List<String> ids) {
        role.staff(TransactionRole.EVERY_TENANT);
        rows.update("purgedAt = ?1 where id in ?2", RowTime.now(), ids);
    }
}
