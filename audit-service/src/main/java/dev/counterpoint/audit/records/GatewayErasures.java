package dev.counterpoint.audit.records;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.audit.accesslog.StaffAccess;
import dev.counterpoint.audit.keys.DataSubject;
import dev.counterpoint.audit.keys.EncryptionException;
import dev.counterpoint.audit.keys.EnvelopeKeys;
import dev.counterpoint.audit.log.Event;
import dev.counterpoint.audit.log.EventStore;
import dev.counterpoint.audit.requests.ActionRequest;
import dev.counterpoint.audit.requests.RequestedAction.EraseTenant;
import dev.counterpoint.audit.store.RowTime;
import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.bus.audit.AccessEntry;
import dev.counterpoint.bus.audit.Erase;
import dev.counterpoint.bus.audit.ErasedRows;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SignedErase;
import dev.counterpoint.servicekit.SafeStackTrace;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
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
public class GatewayErasures {
    private static final Logger LOG = LoggerFactory.getLogger(GatewayErasures.class);
    private static final long ANSWER_MILLIS_MAX = 5_000;
    private static final int ORDERS_AT_ONCE = 100;
    private static final Duration PATIENCE = Duration.ofHours(6);
    private static final String ANSWER = AccessEntry.Action.ROWS_ERASED.entryOf("");
    private static final String ANSWERED =
            "(select substring(e.id, ?1) from EventRow e where e.action = ?2 and e.seq >= 0)";

    private final GatewayErasureRepository rows;
    private final EventStore events;
    private final EnvelopeKeys keys;
    private final KeyRing bus;
    private final TransactionRole role;
    private final KafkaProducer<String, byte[]> producer;

    GatewayErasures(
            GatewayErasureRepository rows,
            EventStore events,
            EnvelopeKeys keys,
            KeyRing bus,
            TransactionRole role,
            KafkaClients clients) {
        this.rows = rows;
        this.events = events;
        this.keys = keys;
        this.bus = bus;
        this.role = role;
        producer = clients.patientProducer();
    }

    @PreDestroy
    void close() {
        producer.close(Duration.ZERO);
    }

    /// The token by which gateways know a subject, sealed for the request that asks for its erasure. Empty where only a
    /// token of this service is known.
    public Optional<byte[]> seal(String request, String tenant, DataSubject subject) {
        var tokens = bus.subjectTokens();
        var token = switch (subject) {
            case DataSubject.EndUser user -> Optional.of(tokens.of(tenant, user.id(), ""));
            case DataSubject.KeyHolder holder -> Optional.of(tokens.of(tenant, "", holder.key()));
            case DataSubject.Stored _ -> Optional.<byte[]>empty();
        };
        return token.map(HexFormat.of()::formatHex).map(known -> keys.sealName(tenant, context(request), known));
    }

    private static String context(String request) {
        return "gateway " + request;
    }

    /// Makes the order of an erasure due, in the transaction that erases.
    void keep(ActionRequest request) {
        var sealed = request.action() instanceof EraseTenant ? Erase.EVERYBODY : request.sealedGatewayToken();
        if (sealed != null) {
            var row = new GatewayErasureRow();
            row.id = request.id();
            row.tenant = request.action().tenant();
            row.sealed = sealed;
            rows.persist(row);
        }
    }

    @Scheduled(
            every = "2s",
            concurrentExecution = Scheduled.ConcurrentExecution.SKIP,
            skipExecutionIf = Scheduled.ApplicationNotRunning.class)
    @RunOnVirtualThread
    void sendDue() {
        try {
            for (var order : due()) {
                producer.send(SignedErase.of(order, bus.signatures())).get(ANSWER_MILLIS_MAX, TimeUnit.MILLISECONDS);
                sent(order.id());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            LOG.warn("orders to gateways are sent later cause={}", SafeStackTrace.name(e));
        }
    }

    /// Forgets the tokens of answered orders, and sends those again that gateways do not answer: order or answer may be
    /// lost with the bus.
    @Scheduled(every = "1h", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    @Transactional
    void repeatUnanswered() {
        role.staff(TransactionRole.EVERY_TENANT);
        int prefix = ANSWER.length() + 1;
        var action = StaffAccess.Action.ROWS_ERASED.wireName();
        rows.update("sealed = null where sealed is not null and id in " + ANSWERED, prefix, action);
        rows.update(
                "sentAt = null where sentAt < ?3 and id not in " + ANSWERED,
                prefix,
                action,
                RowTime.now().minus(PATIENCE));
    }

    /// The orders of committed erasures that the bus may not have. A row that this service did not write is none, and
    /// waits no longer.
    @Transactional
    List<Erase> due() {
        role.staff(TransactionRole.EVERY_TENANT);
        var orders = new ArrayList<Erase>();
        for (var row : rows.find("sentAt is null").range(0, ORDERS_AT_ONCE - 1).list()) {
            order(row).ifPresentOrElse(orders::add, () -> {
                LOG.error("a row that this service did not write is no order to gateways receipt={}", row.id);
                sent(row.id);
            });
        }
        return orders;
    }

    private Optional<Erase> order(GatewayErasureRow row) {
        return events.current("id = ?1 and tenant = ?2", ErasureStore.RECEIPT + row.id, row.tenant).stream()
                .findFirst()
                .map(Event.Verified::body)
                .flatMap(erased -> token(row, erased)
                        .map(token -> new Erase(
                                row.id, row.tenant, token, erased.path("at").asLong())));
    }

    private Optional<byte[]> token(GatewayErasureRow row, JsonNode erased) {
        var sealed = row.sealed;
        if (erased.path(LoggedErasure.WHOLE_TENANT).asBoolean()) {
            return Optional.of(Erase.EVERYBODY);
        }
        try {
            return Optional.ofNullable(sealed)
                    .map(bytes -> HexFormat.of().parseHex(keys.openName(row.tenant, context(row.id), bytes)));
        } catch (EncryptionException | IllegalArgumentException forged) {
            return Optional.empty();
        }
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
