package dev.counterpoint.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.testkit.TestKafka;
import dev.counterpoint.testkit.TestPostgres;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The database goes away: nothing is shown, nothing is lost, and the gateways learn of it.
@QuarkusTest
@WithTestResource(AuditParts.class)
class AuditOutageIT implements AuditParts.NeedsServers {
    private @Nullable TestKafka kafka;
    private @Nullable TestPostgres postgres;

    @Override
    public void accept(TestKafka kafka, TestPostgres postgres) {
        this.kafka = kafka;
        this.postgres = postgres;
    }

    @Test
    void nothingIsShownAndNothingIsLost() throws Exception {
        // Given
        var database = postgres;
        var broker = kafka;
        assertThat(database).isNotNull();
        assertThat(broker).isNotNull();
        var staff = StaffClient.everything();
        try (var bus = TestBus.ofTest()) {
            var before = Asked.of("acme", "alice");
            bus.append(bus.whole(before, "a thought before"));
            AuditTables.await(1, "trace_record where response = ?", before.id().toString());
            assertThat(staff.read(before.id().toString()).status()).isEqualTo(200);
            long records = AuditTables.count("trace_record");
            long dead = AuditTables.count("dead_letter");
            // Durability is off in tests, so a kill would forget the last commits.
            AuditTables.execute("checkpoint");

            // When
            database.kill();
            var denied = StaffClient.with("nobody").read(before.id().toString());
            var read = staff.read(before.id().toString());
            var during = List.of(Asked.of("acme", "alice"), Asked.of("acme", "bob"), Asked.of("acme", "carol"));
            during.forEach(asked -> bus.append(bus.whole(asked, "a thought meanwhile")));
            long lag = awaitBeat(broker, beat -> beat.lagMillis() > 2_000);
            database.restart();
            AuditTables.await(records + 3, "trace_record");

            // Then
            assertThat(denied.status()).isEqualTo(403);
            assertThat(read.status()).isEqualTo(503);
            assertThat(read.code()).isEqualTo("unavailable");
            assertThat(read.header("retry-after")).isEqualTo("2");
            assertThat(read.text()).doesNotContain("thought");
            assertThat(lag).isGreaterThan(2_000);
            assertThat(awaitBeat(broker, beat -> beat.lagMillis() == 0)).isZero();
            assertThat(AuditTables.count("dead_letter")).isEqualTo(dead);
            for (var asked : during) {
                assertThat(AuditTables.count(
                                "trace_record where response = ?", asked.id().toString()))
                        .isEqualTo(1);
                assertThat(staff.read(asked.id().toString()).text()).contains("a thought meanwhile");
            }
        }
    }

    @Test
    void aReadIsRefusedWhenOnlyItsEntryCannotBeWritten() {
        try (var bus = TestBus.ofTest()) {
            // Given a database that is full, or a table that nobody may write
            var asked = Asked.of("acme", "dave");
            bus.append(bus.whole(asked, "a thought apart"));
            AuditTables.await(1, "trace_record where response = ?", asked.id().toString());
            AuditTables.execute("""
                create function full_disk() returns trigger language plpgsql as
                $$ begin raise exception 'full' using errcode = '53100'; end $$\
                """);
            AuditTables.execute("create trigger full_disk before insert on event execute function full_disk()");
            // When
            var read = StaffClient.everything().read(asked.id().toString());
            AuditTables.execute("drop trigger full_disk on event");
            AuditTables.execute("drop function full_disk");
            // Then
            assertThat(read.status()).isEqualTo(503);
            assertThat(read.text()).doesNotContain("a thought apart");
            assertThat(StaffClient.everything().read(asked.id().toString()).status())
                    .isEqualTo(200);
        }
    }

    /// @return the lag in the first new heartbeat of an audit service that meets the condition
    private static long awaitBeat(TestKafka broker, Predicate<Heartbeat> wanted) {
        var models = new TopicPartition(Topic.MODELS, 0);
        long giveUp = System.nanoTime() + Duration.ofSeconds(40).toNanos();
        try (var reader = new KafkaClients(broker.bootstrapServers(), TestKafka.adminLogin()).reader()) {
            reader.assign(List.of(models));
            reader.seekToEnd(List.of(models));
            while (System.nanoTime() < giveUp) {
                for (var record : reader.poll(Duration.ofMillis(500))) {
                    var beat = Heartbeat.decode(record.value());
                    if (beat.role() == ServiceRole.AUDIT && wanted.test(beat)) {
                        return beat.lagMillis();
                    }
                }
            }
        }
        throw new AssertionError("no such beat");
    }
}
