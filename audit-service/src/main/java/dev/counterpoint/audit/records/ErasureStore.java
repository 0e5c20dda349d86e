package dev.counterpoint.audit.records;

import dev.counterpoint.audit.accesslog.AccessLogStore;
import dev.counterpoint.audit.accesslog.StaffAccess;
import dev.counterpoint.audit.accesslog.StaffAccess.Action;
import dev.counterpoint.audit.accesslog.StaffAccess.Outcome;
import dev.counterpoint.audit.config.AuditConfig;
import dev.counterpoint.audit.keys.EnvelopeKeys;
import dev.counterpoint.audit.log.Event;
import dev.counterpoint.audit.log.EventStore;
import dev.counterpoint.audit.requests.ActionRequest;
import dev.counterpoint.audit.requests.RequestedAction.Erase;
import dev.counterpoint.audit.requests.StaffPerson;
import dev.counterpoint.audit.store.RowTime;
import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.audit.store.WhereClause;
import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.servicekit.SafeStackTrace;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.hibernate.Session;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Erases subjects by destroying the keys of their records (crypto-shredding) and taking them out of rows. Receipts are
/// events of the log. Thread-safe.
@ApplicationScoped
public class ErasureStore {
    /// The key's id in a record that was stored after its subject was erased.
    static final String NO_KEY = "erased";

    private static final Logger LOG = LoggerFactory.getLogger(ErasureStore.class);
    private static final String FORGED = "an erasure that this service did not write stays out of the log receipt={}";
    static final String RECEIPT = "erased_";
    private static final Duration TOKEN_KEPT = Duration.ofDays(8);

    private static final String PARTITIONS = """
            select distinct number from erasure, generate_series(0, 255) number where id in (:ids)
            and (subject_token = '' or satisfies_hash_partition(cast('data_key' as regclass), 256, number, subject_token))""";

    private final EnvelopeKeys keys;
    private final RecordRepository records;
    private final ErasureRepository rows;
    private final ErasedPersons persons;
    private final EventStore events;
    private final AccessLogStore accessLog;
    private final TransactionRole role;
    private final ErasureLog log;
    private final GatewayErasures gateways;
    private final Duration framesGoneAfter;

    ErasureStore(
            EnvelopeKeys keys,
            RecordRepository records,
            ErasureRepository rows,
            ErasedPersons persons,
            EventStore events,
            AccessLogStore accessLog,
            TransactionRole role,
            ErasureLog log,
            GatewayErasures gateways,
            AuditConfig config) {
        this.keys = keys;
        this.records = records;
        this.rows = rows;
        this.persons = persons;
        this.events = events;
        this.accessLog = accessLog;
        this.role = role;
        this.log = log;
        this.gateways = gateways;
        framesGoneAfter = config.framesGoneAfter();
    }

    /// Erases the subject, or the tenant, of an approved request: destroys its keys, takes it out of rows, and writes
    /// the
    /// receipt. Once that is committed, [#publish] brings it into the log of erasures. What was accepted until
    /// now is never stored with its content again; a record of a later response gets a new key. A second erasure
    /// destroys nothing, and its receipt says so.
    @Transactional
    public ErasureReceipt erase(ActionRequest request, StaffPerson approver) {
        requireKnown();
        var tenant = request.action().tenant();
        role.erasing(tenant);
        var token = request.action() instanceof Erase erase
                ? HexFormat.of().parseHex(Objects.requireNonNull(erase.subjectToken()))
                : LoggedErasure.EVERYBODY;
        boolean whole = token.length == 0;
        long named = whole ? records.count("tenant = ?1 and subjectToken is not null", tenant) : 0;
        var destroyed = whole ? List.<String>of() : keys.destroy(tenant, token);
        var tenantKeysDestroyed = whole ? keys.destroyTenant(tenant) : null;
        var at = RowTime.now();
        var asker = request.by();
        var erasure = new LoggedErasure(
                request.id(),
                at.toEpochMilli(),
                at.plus(framesGoneAfter).toEpochMilli(),
                approver.name(),
                asker.isSame(approver) ? null : asker.name(),
                request.caseId(),
                request.reason(),
                tenant,
                token,
                String.join(" ", destroyed),
                destroyed.isEmpty() ? named : records.count("dataKeyId in ?1", destroyed),
                whole ? null : keys.wrapped(tenant),
                tenantKeysDestroyed);
        keep(erasure, erasure.event()); // here an erasure is made
        gateways.keep(request);
        return find(request.id()).orElseThrow();
    }

    /// Writes the receipt of an erasure whose keys are destroyed, and its remaining work.
    private void keep(LoggedErasure erasure, StaffAccess receipt) {
        var row = erasure.row(log.seal(erasure));
        rows.persistAndFlush(row);
        if (!events.holds(RECEIPT + erasure.id())) {
            accessLog.write(RECEIPT + erasure.id(), receipt);
        }
        persons.takeOut(row, persons.find(row));
    }

    /// @throws dev.counterpoint.servicekit.OutageException while not all erasures are known
    public void requireKnown() {
        log.requireCurrent();
    }

    /// Returns for each record whether its subject was erased after the response was accepted. The time is that in the
    /// response's id, to which the content is bound. For a record without a subject: whether an erasure removed it.
    Predicate<RecordRow> erased(Collection<RecordRow> records) {
        var tokens = records.stream()
                .map(record -> record.subjectToken)
                .filter(Objects::nonNull)
                .toList();
        var erasures = tokens.isEmpty()
                ? List.<LoggedErasure>of()
                : rows.stream("subjectToken in ?1 or subjectToken = ?2", tokens, LoggedErasure.EVERYBODY)
                        .flatMap(row -> entry(row).stream())
                        .toList();
        var covered = events.covered(records.stream()
                .map(record -> record.removedBy)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet()));
        return record -> {
            var token = record.subjectToken;
            return token == null
                    ? record.dataKeyId.equals(NO_KEY) || (record.logIndex != null && covered.contains(record.logIndex))
                    : ResponseId.parse(record.response)
                            .map(id -> Instant.ofEpochMilli(id.acceptedAtMillis()))
                            .filter(acceptedAt -> log.names(record.tenant, token, acceptedAt)
                                    || erasures.stream().anyMatch(erasure -> erasure.covers(record, acceptedAt)))
                            .isPresent();
        };
    }

    /// The erasure that a row stands for; empty for one that this service did not write.
    private Optional<LoggedErasure> entry(ErasureRow row) {
        try {
            return Optional.ofNullable(row.sealed).map(entry -> log.open(row.id, entry));
        } catch (MalformedMessageException forged) {
            LOG.error(FORGED, row.id);
            return Optional.empty();
        }
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
        var tenantKeys = entry.tenantKeys();
        if (tenantKeys == null) {
            keys.destroyTenant(entry.tenant());
        } else {
            keys.restoreTenant(entry.tenant(), tenantKeys);
            keys.destroyUntil(entry.tenant(), entry.subjectToken(), entry.at());
        }
        keep(entry, entry.event().member("restored", true));
    }

    /// Ids of erasures of the version before, whose receipts are no events yet.
    @Transactional
    List<String> old() {
        role.staff(TransactionRole.EVERY_TENANT);
        return rows.stream("from ErasureRow r where r.sealed is not null"
                        + " and not exists (select 1 from EventRow e where e.id = '" + RECEIPT + "' || r.id)")
                .map(row -> row.id)
                .toList();
    }

    /// Takes an old receipt over, as its seal has it.
    @Transactional
    void takeOver(String id) {
        role.staff(TransactionRole.EVERY_TENANT);
        var row = rows.findById(id);
        entry(row).filter(_ -> !events.holds(RECEIPT + id)).ifPresent(entry -> {
            accessLog.write(RECEIPT + id, entry.event().member("imported", true));
            if (row.purgedAt != null && entry.destroyed() > 0) {
                accessLog.write(purged(row));
            }
        });
    }

    /// Removes erased persons from rows that had no leaf at the erasure, and deletes their tokens when no older row can
    /// come any more.
    ///
    /// @return whether there may be more
    @Transactional
    boolean takeOutPersons() {
        boolean more = false;
        role.staff(TransactionRole.EVERY_TENANT);
        for (var row : rows.list("subjectToken is not null")) {
            role.staff(row.tenant);
            var found = persons.find(row);
            if (!found.none()) {
                if (entry(row).filter(entry -> entry.means(row)).isPresent()) {
                    persons.takeOut(row, found);
                    more |= found.full();
                }
            } else if (row.purgedAt != null && row.at.isBefore(Instant.now().minus(TOKEN_KEPT)) && !found.waiting()) {
                rows.update("subjectToken = null where id = ?1", row.id);
            }
        }
        return more;
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

    public Optional<ErasureReceipt> find(String id) {
        return receipts(events.current("id = ?1", RECEIPT + id)).stream().findFirst();
    }

    /// @return the receipts, the last one first
    public List<ErasureReceipt> newest(WhereClause wanted, int atMost) {
        var found =
                events.newest(wanted.equal("action", Action.ERASE.wireName()).is("request is not null", true), atMost);
        return receipts(found.stream()
                .filter(Event.Verified.class::isInstance)
                .map(Event.Verified.class::cast)
                .toList());
    }

    private List<ErasureReceipt> receipts(List<Event.Verified> erasures) {
        if (erasures.isEmpty()) {
            return List.of();
        }
        var ids = erasures.stream().map(ErasureStore::request).toList();
        var purged = events.current("action = ?1 and request in ?2", Action.PURGED.wireName(), ids).stream()
                .collect(Collectors.toMap(
                        ErasureStore::request,
                        event -> ErasureReceipt.time(event.body().path("at")),
                        (one, _) -> one));
        return erasures.stream()
                .map(event -> receipt(event, purged.get(request(event))))
                .toList();
    }

    private ErasureReceipt receipt(Event.Verified event, @Nullable Instant purged) {
        var id = request(event);
        var tenant = event.body().path("tenant").asText();
        return ErasureReceipt.of(event, purged, log.holds(id), gateways.answer(id, tenant));
    }

    private static String request(Event.Verified event) {
        return event.body().path("request").asText();
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
        rows.list("id in ?1", ids).forEach(row -> accessLog.write(purged(row)));
    }

    private static StaffAccess purged(ErasureRow row) {
        return StaffAccess.of("audit-service", Action.PURGED, Outcome.GRANTED)
                .about(row.tenant, null, null)
                .with(0, "receipt=" + row.id)
                .member("request", row.id);
    }
}
