package dev.counterpoint.audit.records;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.StaffClient;
import dev.counterpoint.audit.TestBus;
import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.audit.requests.ActionRequests;
import dev.counterpoint.audit.requests.StaffPerson;
import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.audit.AccessEntry;
import dev.counterpoint.bus.audit.Erase;
import dev.counterpoint.bus.audit.ErasedRows;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SignedErase;
import dev.counterpoint.testkit.TestKafka;
import dev.counterpoint.testkit.TestPostgres;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.apache.kafka.common.TopicPartition;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Gateways get an order for each committed erasure and for no other, and the receipt has their answer.
@QuarkusTest
@WithTestResource(AuditParts.class)
class GatewayErasuresIT implements AuditParts.NeedsServers {
    private final String tenant = "tenant-" + UUID.randomUUID();
    private final StaffClient staff = StaffClient.everything();
    private final KeyRing gateway = KeyRing.load(setting("audit.keys-dir", Path.class), ServiceRole.GATEWAY);
    private @Nullable TestKafka kafka;

    @Inject
    ErasureStore erasures;

    @Inject
    GatewayErasures gateways;

    @Inject
    ActionRequests requests;

    @Inject
    TransactionRole role;

    @Override
    public void accept(TestKafka kafka, TestPostgres postgres) {
        this.kafka = kafka;
    }

    @Test
    void anErasureWhoseServiceDiedAfterTheCommitIsSentByAnother() {
        // Given a service that does nothing more once it has committed, while the bus is away
        stored("alice");
        var asked = staff.askErasure(tenant, "alice").json().path("id").asText();
        var broker = Objects.requireNonNull(kafka);
        broker.pause();
        ErasureReceipt receipt;
        try {
            receipt = QuarkusTransaction.requiringNew().call(() -> {
                role.staff(tenant);
                var request = requests.find(asked).orElseThrow();
                return erasures.erase(request, new StaffPerson("colleague", "issuer", "colleague"));
            });
            assertThat(gateways.due()).extracting(Erase::id).contains(receipt.id());
        } finally {
            broker.resume();
        }
        // When
        AuditTables.await(() -> !orders(receipt.id()).isEmpty());
        // Then
        assertThat(orders(receipt.id())).first().satisfies(sent -> {
            assertThat(sent.tenant()).isEqualTo(tenant);
            assertThat(sent.token()).isEqualTo(gateway.subjectTokens().of(tenant, " alice", "key_9"));
            assertThat(sent.atMillis()).isEqualTo(receipt.at().toEpochMilli());
        });
        AuditTables.await(() -> gateways.due().isEmpty());
    }

    @Test
    void whatIsAskedForCancelledOrRefusedIsNoOrder() {
        // Given
        stored("alice");
        var asked = staff.askErasure(tenant, "alice").json().path("id").asText();
        var key = staff.post("/audit/v1/requests", """
                {"action": "erase", "tenant": "%s", "key": "key_1", "case_id": "C", "reason": "r"}""".formatted(tenant));
        // When
        gateways.sendDue();
        staff.cancel(asked);
        var approved = staff.approved(key).json().path("id").asText();
        AuditTables.await(() -> !orders(approved).isEmpty());
        // Then
        assertThat(orders(asked)).isEmpty();
        assertThat(AuditTables.count("event where request = ? and personal like '%gateway_token%'", asked))
                .isZero();
        assertThat(orders(approved).getFirst().token())
                .isEqualTo(gateway.subjectTokens().of(tenant, "", "key_1"));
    }

    @Test
    void rowsThatSomebodyWroteIntoTheDatabaseAreNoOrder() {
        // Given
        stored("alice");
        var real = staff.erase(tenant, "alice").json().path("id").asText();
        AuditTables.execute("""
            insert into gateway_erasure (id, tenant, sealed)
            select '0-' || n || ?, tenant, sealed from gateway_erasure, generate_series(1, 150) n where id = ?\
            """, tenant, real);
        // When
        var next = staff.erase(tenant, "alice").json().path("id").asText();
        // Then
        AuditTables.await(() -> !orders(next).isEmpty());
        assertThat(orders("0-1" + tenant)).isEmpty();
    }

    @Test
    void theReceiptNamesGatewaysThatDoNotAnswerAndThenWhatTheyDeleted() {
        // Given
        stored("alice");
        var id = staff.erase(tenant, "alice").json().path("id").asText();
        AuditTables.await(() -> receipt(id).at("/gateway/status").asText().equals("no_answer"));
        // When
        try (var bus = TestBus.ofTest()) {
            bus.forge(answer(id, tenant, 9));
            bus.append(answer(id, tenant, 4));
            bus.append(answer(id, tenant, 5));
        }
        AuditTables.await(1, "event where log_index >= 0 and id = ?", "rows_erased_" + id);
        // Then
        var receipt = receipt(id);
        assertThat(receipt.at("/gateway/status").asText()).isEqualTo("erased");
        assertThat(receipt.at("/gateway/rows/responses").asInt()).isEqualTo(4);
        assertThat(staff.accessLog("action=rows_erased&tenant=" + tenant)
                        .json()
                        .at("/data/0/records")
                        .asInt())
                .isEqualTo(4);
    }

    @Test
    void anOrderWithoutAnAnswerIsSentAgainAfterHours() {
        // Given
        stored("alice");
        var id = staff.erase(tenant, "alice").json().path("id").asText();
        AuditTables.await(() -> orders(id).size() == 1);
        gateways.repeatUnanswered();
        AuditTables.execute("update gateway_erasure set sent_at = now() - interval '7 hours' where id = ?", id);
        // When
        gateways.repeatUnanswered();
        AuditTables.await(() -> orders(id).size() == 2);
        // Then
        try (var bus = TestBus.ofTest()) {
            bus.append(answer(id, tenant, 0));
        }
        AuditTables.await(1, "event where log_index >= 0 and id = ?", "rows_erased_" + id);
        AuditTables.execute("update gateway_erasure set sent_at = now() - interval '7 hours' where id = ?", id);
        gateways.repeatUnanswered();
        assertThat(AuditTables.count("gateway_erasure where id = ? and sent_at is not null and sealed is null", id))
                .isOne();
    }

    @Test
    void anErasureByATokenSaysThatGatewaysWereNotAsked() {
        // Given
        stored("alice");
        var token = AuditTables.select("select encode(subject_token, 'hex') from trace_record where tenant = ?", tenant)
                .getFirst();
        // When
        var asked = staff.post("/audit/v1/requests", """
                {"action": "erase", "tenant": "%s", "subject_token": "%s", "case_id": "C", "reason": "r"}""".formatted(tenant, token));
        var erased = staff.erased(asked).json();
        // Then
        assertThat(erased.at("/gateway/status").asText()).isEqualTo("not_asked");
    }

    private static AccessEntry answer(String erasure, String tenant, int responses) {
        var action = AccessEntry.Action.ROWS_ERASED;
        var rows = new ErasedRows(responses, 0, 0, 0, 0);
        return new AccessEntry(action.entryOf(erasure), 1, "gateway", tenant, "", action, new byte[0], rows);
    }

    private JsonNode receipt(String id) {
        return staff.get("/audit/v1/erasures/" + id).json();
    }

    private void stored(String user) {
        var asked = Asked.of(tenant, user);
        try (var bus = TestBus.ofTest()) {
            bus.append(bus.whole(asked, "a thought"));
            AuditTables.await(1, "trace_record where response = ?", asked.id().toString());
        }
    }

    /// The orders of an erasure in the topic, as gateways verify them.
    private List<Erase> orders(String erasure) {
        var partition = new TopicPartition(Topic.AUDIT_LOG, 0);
        var clients = new KafkaClients(setting("kafka.bootstrap.servers", String.class), TestKafka.adminLogin());
        var found = new ArrayList<Erase>();
        try (var reader = clients.historyReader()) {
            reader.assign(List.of(partition));
            reader.seekToBeginning(List.of(partition));
            long end = reader.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
            while (reader.position(partition) < end) {
                for (var record : reader.poll(Duration.ofMillis(100))) {
                    if (Erase.KEY.equals(record.key())) {
                        found.add(SignedErase.verified(record.value(), gateway.signatures()));
                    }
                }
            }
        }
        return found.stream().filter(order -> order.id().equals(erasure)).toList();
    }

    private static <T> T setting(String name, Class<T> type) {
        return ConfigProvider.getConfig().getValue(name, type);
    }
}
