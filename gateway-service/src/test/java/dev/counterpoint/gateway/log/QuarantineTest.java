package dev.counterpoint.gateway.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.job.SuspectReport;
import dev.counterpoint.bus.job.SuspectReport.Finding;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.SignedRecord;
import dev.counterpoint.bus.testkit.TestKeys;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// C1: whose jobs kill workers, and whose new jobs therefore start isolated.
class QuarantineTest {
    private static final long NOW = 1_795_168_800_000L;
    private static final long MEMORY = Quarantine.MEMORY.toMillis();
    private static final String KEY = "key-1";

    private final Quarantine quarantine = new Quarantine();

    @Test
    void c1SuspectsOfOneKeyOnTwoWorkersPutItsNewJobsAside() {
        // When
        quarantine.take(report(1, NOW, Finding.WORKER_DIED), NOW);
        boolean afterOne = quarantine.holds(KEY, NOW);
        quarantine.take(report(2, NOW, Finding.ENGINE_HUNG), NOW);
        // Then
        assertThat(afterOne).isFalse();
        assertThat(quarantine.holds(KEY, NOW)).isTrue();
        assertThat(quarantine.holds("key-2", NOW)).isFalse();
    }

    @Test
    void oneJobIsOneSuspectHoweverOftenItIsReported() {
        // When
        quarantine.take(report(1, NOW, Finding.WORKER_DIED), NOW);
        quarantine.take(report(1, NOW + 1, Finding.ENGINE_HUNG), NOW + 1);
        // Then
        assertThat(quarantine.holds(KEY, NOW + 1)).isFalse();
    }

    @Test
    void allThatOneWorkerHadIsOneLoss() {
        // When
        for (int response = 1; response <= 20; response++) {
            quarantine.take(ofWorker(response, "worker"), NOW);
        }
        boolean afterOneWorker = quarantine.holds(KEY, NOW);
        quarantine.take(ofWorker(21, "another"), NOW);
        boolean afterTwo = quarantine.holds(KEY, NOW);
        for (int response = 1; response <= 20; response++) {
            quarantine.take(report(response, NOW, Finding.CLEARED), NOW);
        }
        // Then
        assertThat(afterOneWorker).isFalse();
        assertThat(afterTwo).isTrue();
        assertThat(quarantine.holds(KEY, NOW)).isFalse();
    }

    @Test
    void c1JobsThatNoWorkerGotAsFarAsToFenceAreALossEach() {
        // When
        quarantine.take(ofWorker(1, null), NOW);
        quarantine.take(ofWorker(2, null), NOW);
        // Then
        assertThat(quarantine.holds(KEY, NOW)).isTrue();
    }

    @Test
    void whatProvedHarmlessCountsNoMore() {
        // Given
        quarantine.take(report(1, NOW, Finding.WORKER_DIED), NOW);
        quarantine.take(report(2, NOW, Finding.WORKER_DIED), NOW);
        // When
        quarantine.take(report(2, NOW + 1, Finding.CLEARED), NOW + 1);
        // Then
        assertThat(quarantine.holds(KEY, NOW + 1)).isFalse();
    }

    @Test
    void itEndsTenMinutesAfterTheFirstOfTheTwo() {
        // Given
        quarantine.take(report(1, NOW, Finding.WORKER_DIED), NOW);
        quarantine.take(report(2, NOW + 1_000, Finding.WORKER_DIED), NOW + 1_000);
        // Then
        assertThat(quarantine.holds(KEY, NOW + MEMORY - 1)).isTrue();
        assertThat(quarantine.holds(KEY, NOW + MEMORY)).isFalse();
    }

    @Test
    void whatIsReadFromTheTopicLaterThanThatChangesNothing() {
        // When
        quarantine.take(report(1, NOW - MEMORY, Finding.WORKER_DIED), NOW);
        quarantine.take(report(2, NOW - MEMORY, Finding.WORKER_DIED), NOW);
        // Then
        assertThat(quarantine.holds(KEY, NOW)).isFalse();
    }

    @Test
    void aFloodForgetsTheOldest() {
        // When
        for (int number = 0; number < Quarantine.KEPT_MAX + 2; number++) {
            var key = number < 2 ? KEY : "key-" + number;
            quarantine.take(report(number, key, NOW, Finding.WORKER_DIED), NOW);
        }
        // Then
        assertThat(quarantine.holds(KEY, NOW)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void onlyAGatewaysReportCounts(ServiceRole role) {
        // Given
        long now = System.currentTimeMillis();
        var loop = new SuspectLoop(
                new KafkaClients("localhost:1", Map.of()), quarantine, TestKeys.of(ServiceRole.GATEWAY));
        // When
        for (int number = 1; number <= 2; number++) {
            var report = report(number, now, Finding.WORKER_DIED).encode();
            var signed = TestKeys.of(role).signatures().sign(SignedRecord.SUSPECT_REPORT, Topic.SUSPECTS, report);
            loop.take(new ConsumerRecord<>(Topic.SUSPECTS, 0, number, "any", signed));
        }
        // Then
        assertThat(quarantine.holds(KEY, now)).isEqualTo(role == ServiceRole.GATEWAY);
    }

    private static SuspectReport report(int response, long at, Finding finding) {
        return report(response, KEY, at, finding);
    }

    private static SuspectReport report(int response, String key, long at, Finding finding) {
        return new SuspectReport(id(response), key, "tenant", "model", 1, at, finding, false, "worker-" + response);
    }

    private static SuspectReport ofWorker(int response, @Nullable String worker) {
        return new SuspectReport(id(response), KEY, "tenant", "model", 1, NOW, Finding.WORKER_DIED, false, worker);
    }

    private static ResponseId id(int response) {
        return new ResponseId(1_000, 3, 1, response);
    }
}
