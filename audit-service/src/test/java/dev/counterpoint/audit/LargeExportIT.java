package dev.counterpoint.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.exceptionfactory.jagged.x25519.X25519KeyPairGenerator;
import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topics;
import dev.counterpoint.infra.DatabaseRoles;
import dev.counterpoint.testkit.TestKafka;
import dev.counterpoint.testkit.TestPostgres;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A service with a heap of 256 MB exports and scans records of more than that.
@Tag("nightly")
@Timeout(600)
class LargeExportIT {
    private static final int RECORDS = 5_000;
    private static final String TENANT = "large";
    private static final String THOUGHT = "I think of it. ".repeat(80_000 / 15);

    @TempDir
    Path folder;

    @Test
    void fiveThousandRecordsNeedNoMoreMemoryThanOne() throws Exception {
        try (var kafka = TestKafka.start()) {
            var database = TestPostgres.shared().newDatabase(DatabaseRoles.AUDIT);
            try (var admin = new KafkaClients(kafka.bootstrapServers(), TestKafka.adminLogin()).admin()) {
                new Topics(admin).ensureShared(1);
            }
            var settings = AuditParts.settings(kafka.bootstrapServers(), database);
            KilledIT.run(settings, folder.resolve("audit.log"), staff -> {
                // Given
                try (var bus = new TestBus(Path.of(settings.get("audit.keys-dir")), kafka.bootstrapServers())) {
                    for (int i = 0; i < RECORDS; i++) {
                        bus.append(bus.whole(Asked.of(TENANT, "user-" + i % 50), THOUGHT));
                    }
                }
                var key = new String(
                        new X25519KeyPairGenerator()
                                .generateKeyPair()
                                .getPublic()
                                .getEncoded(),
                        StandardCharsets.UTF_8);
                await(() -> records(ask(staff, "scan", "\"literals\":[\"nowhere\"]")) == RECORDS);
                var asked = staff.approved(ask(staff, "export", "\"recipients\":[\"" + key + "\"]"));
                var scan = staff.approved(ask(staff, "scan", "\"pattern\":\"(thi?nk )+at\""));
                // When
                long began = System.nanoTime();
                var file = folder.resolve("export.age");
                var answer = HttpClient.newHttpClient()
                        .send(
                                HttpRequest.newBuilder(staff.root()
                                                .resolve("/audit/v1/exports/"
                                                        + asked.json()
                                                                .path("id")
                                                                .asText()))
                                        .header("Authorization", "Bearer " + staff.token())
                                        .timeout(Duration.ofMinutes(5))
                                        .build(),
                                BodyHandlers.ofFile(file));
                System.out.printf("export of %d records: %d ms%n", RECORDS, (System.nanoTime() - began) / 1_000_000);
                // Then
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(Files.size(file)).isGreaterThan(RECORDS * 100L);
                var path = "/audit/v1/requests/" + scan.json().path("id").asText();
                await(() -> staff.get(path).json().at("/result/opened").asInt() == RECORDS);
            });
        }
    }

    private static StaffClient.Answer ask(StaffClient staff, String action, String members) {
        var body = "{\"action\":\"%s\",\"tenant\":\"%s\",\"filter\":{},%s,\"case_id\":\"C\",\"reason\":\"r\"}";
        return staff.post("/audit/v1/requests", body.formatted(action, TENANT, members));
    }

    private static int records(StaffClient.Answer answer) {
        return answer.json().path("records").asInt();
    }

    private static void await(java.util.function.BooleanSupplier condition) {
        long giveUp = System.nanoTime() + Duration.ofMinutes(5).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(giveUp);
            LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
        }
    }
}
