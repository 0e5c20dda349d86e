package dev.counterpoint.bus.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.testkit.KafkaCluster;
import dev.counterpoint.testkit.TestKafka;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Three brokers with the usual settings of a cluster, of which one is killed.
@DisplayName("f8: the loss of a broker")
class BrokerLossIT {
    private static final int PARTITIONS = 6;
    private static final int APPENDS = 300;
    private static final int KILLED_AT = 30;

    @Test
    void costsNoAppendAndTopicsAreMadeForIt() throws Exception {
        try (var kafka = KafkaCluster.startWithUsualSession(3)) {
            var clients = new KafkaClients(kafka.bootstrapServers(), TestKafka.adminLogin());
            try (var admin = clients.admin();
                    var producer = clients.promptProducer()) {
                var topics = new Topics(admin);
                topics.ensureShared(PARTITIONS);
                topics.requireFit(Topic.FRAMES_RETENTION);
                // When
                int victim = leader(admin);
                var appends = new ArrayList<Future<RecordMetadata>>();
                long killedAt = 0;
                for (int at = 0; at < APPENDS; at++) {
                    if (at == KILLED_AT) {
                        kafka.node(victim).kill();
                        killedAt = System.nanoTime();
                    }
                    appends.add(producer.send(new ProducerRecord<>(Topic.FRAMES, at % PARTITIONS, "r", new byte[100])));
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10)); // the pace of a stream
                }
                for (var append : appends) {
                    append.get(35, TimeUnit.SECONDS);
                }
                // Then
                System.out.printf(
                        "all appends are acknowledged %d ms after the loss%n",
                        (System.nanoTime() - killedAt) / 1_000_000);
                assertThat(appends).allMatch(Future::isDone);
            }
        }
    }

    @Test
    @DisplayName("a broker that hangs when an attempt has its first frame for it")
    void costsNoAttempt() throws Exception {
        try (var kafka = KafkaCluster.start(1)) {
            var clients = new KafkaClients(kafka.bootstrapServers(), TestKafka.adminLogin());
            try (var admin = clients.admin();
                    var producer = clients.patientProducer()) {
                new Topics(admin).ensureShared(PARTITIONS);
                kafka.pause();
                var hangs = Executors.newSingleThreadScheduledExecutor();
                // When
                hangs.schedule(kafka::resume, 3, TimeUnit.SECONDS);
                var append = producer.send(new ProducerRecord<>(Topic.AUDIT, "r", new byte[100]));
                // Then
                assertThat(append.get(35, TimeUnit.SECONDS).hasOffset()).isTrue();
                hangs.shutdownNow();
            }
        }
    }

    private static int leader(Admin admin) throws Exception {
        var frames = admin.describeTopics(List.of(Topic.FRAMES)).allTopicNames().get();
        return Objects.requireNonNull(frames.get(Topic.FRAMES))
                .partitions()
                .getFirst()
                .leader()
                .id();
    }
}
