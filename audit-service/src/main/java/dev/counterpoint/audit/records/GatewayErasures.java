package dev.counterpoint.audit.records;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.audit.accesslog.StaffAccess;
import dev.counterpoint.audit.keys.CanonicalEncoder;
import dev.counterpoint.audit.keys.DataSubject;
import dev.counterpoint.audit.keys.EncryptionException;
import dev.counterpoint.audit.keys.KeyService;
import dev.counterpoint.audit.log.EventStore;
import dev.counterpoint.audit.store.RowTime;
import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.bus.audit.AccessEntry;
import dev.counterpoint.bus.audit.Erase;
import dev.counterpoint.bus.audit.ErasedRows;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SignedErase;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.servicekit.SafeStackTrace;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Orders gateways to delete what they store of an erased person, by a record of the topic `audit-log`, and finds their
/// answer in the log. An order is due once its erasure is committed, and stays due until the bus has it. Thread-safe.
@ApplicationScoped
class GatewayErasures {
    private static final Logger LOG = LoggerFactory.getLogger(GatewayErasures.class);
    private static final long ANSWER_MILLIS_MAX = 5_000;
    private static final int ORDERS_AT_ONCE = 100;
    private static final String DUE = "id in (select g.id from GatewayErasureRow g where g.sentAt is null) order by at";

    private static final Duration PATIENCE = Duration.ofHours(6);
    private static final String ANSWER = AccessEntry.Action.ROWS_ERASED.entryOf("");
    private static final String UNANSWERED = "sentAt = null where sentAt < ?1"
            + " and id not in (select substring(e.id, ?2) from EventRow e where e.action = ?3)";

    private final GatewayErasureRepository rows;
    private final ErasureRepository erasures;
    private final EventStore events;
    private final KeyService root;
    private final KeyRing keys;
    private final TransactionRole role;
    private final KafkaProducer<String, byte[]> producer;

    GatewayErasures(
            GatewayErasureRepository rows,
            ErasureRepository erasures,
            EventStore events,
            KeyService root,
            KeyRing keys,
            TransactionRole role,
            KafkaClients clients) {
        this.rows = rows;
        this.erasures = erasures;
        this.events = events;
        this.root = root;
        this.keys = keys;
        this.role = role;
        producer = clients.patientProducer();
    }

    @PreDestroy
    void close() {
        producer.close(Duration.ZERO);
    }

    /// Keeps whom an erasure means, in the transaction that asks for it. Without effect where only a token of this
    /// service is known.
    ///
    /// @param erasure its id
    void keep(String erasure, String tenant, DataSubject subject) {
        var tokens = keys.subjectTokens();
        var token = switch (subject) {
            case DataSubject.EndUser user -> Optional.of(tokens.of(tenant, user.id(), ""));
            case DataSubject.KeyHolder holder -> Optional.of(tokens.of(tenant, "", holder.key()));
            case DataSubject.Stored _ -> Optional.<byte[]>empty();
        };
        token.ifPresent(known -> {
            var row = new GatewayErasureRow();
            row.id = erasure;
            row.tenant = tenant;
            row.sealed = root.wrap(known, context(erasure));
            rows.persist(row);
        });
    }

    private static byte[] context(String erasure) {
        return new CanonicalEncoder("gateway-erasure-1").text(erasure).toBytes();
    }

    @Scheduled(
            every = "2s",
            concurrentExecution = Scheduled.ConcurrentExecution.SKIP,
            skipExecutionIf = Scheduled.ApplicationNotRunning.class)
    @RunOnVirtualThread
    void sendDue() {
        try {
            for (var order : due()) {
                producer.send(SignedErase.of(order, keys.signatures())).get(ANSWER_MILLIS_MAX, TimeUnit.MILLISECONDS);
                sent(order.id());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            LOG.warn("orders to gateways are sent later cause={}", SafeStackTrace.name(e));
        }
    }

    /// Sends orders again that gateways do not answer: order or answer may be lost with the bus.
    @Scheduled(every = "1h", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    @Transactional
    void repeatUnanswered() {
        role.staff(TransactionRole.EVERY_TENANT);
        rows.update(
                UNANSWERED,
                RowTime.now().minus(PATIENCE),
                ANSWER.length() + 1,
                StaffAccess.Action.ROWS_ERASED.wireName());
    }

    /// The orders of committed erasures that the bus may not have. One that this service did not seal is none.
    @Transactional
    List<Erase> due() {
        role.staff(TransactionRole.EVERY_TENANT);
        var orders = new ArrayList<Erase>();
        for (var erasure : erasures.find(DUE).range(0, ORDERS_AT_ONCE - 1).list()) {
            try {
                var sealed = Objects.requireNonNullElse(erasure.sealed, new byte[0]);
                var entry = LoggedErasure.decode(erasure.id, sealed, root);
                var token = root.unwrap(rows.findById(erasure.id).sealed, context(erasure.id));
                orders.add(new Erase(erasure.id, entry.tenant(), token, entry.atMillis()));
            } catch (MalformedMessageException | EncryptionException forged) {
                LOG.error("an erasure that this service did not write is no order to gateways receipt={}", erasure.id);
            }
        }
        return orders;
    }

    @Transactional
    void sent(String erasure) {
        role.staff(TransactionRole.EVERY_TENANT);
        rows.update("sentAt = ?1 where id = ?2", RowTime.now(), erasure);
    }

    /// The gateways' part of an erasure. Needs an open transaction with its role.
    GatewayAnswer answer(String erasure, String tenant) {
        var row = rows.findByIdOptional(erasure);
        if (row.isEmpty()) {
            return new GatewayAnswer(GatewayAnswer.Status.NOT_ASKED, null, null, null);
        }
        var sentAt = row.get().sentAt;
        return events.verified("id = ?1 and tenant = ?2", ANSWER + erasure, tenant).stream()
                .findFirst()
                .map(event -> new GatewayAnswer(
                        GatewayAnswer.Status.ERASED,
                        sentAt,
                        Instant.ofEpochMilli(event.body().path("at").asLong()),
                        counts(event.body())))
                .orElseGet(() -> new GatewayAnswer(
                        sentAt == null ? GatewayAnswer.Status.DUE : GatewayAnswer.Status.NO_ANSWER,
                        sentAt,
                        null,
                        null));
    }

    private static ErasedRows counts(JsonNode body) {
        return new ErasedRows(
                body.path("responses").asLong(),
                body.path("completions").asLong(),
                body.path("conversations").asLong(),
                body.path("reasoning").asLong(),
                body.path("deliveries").asLong());
    }
}
