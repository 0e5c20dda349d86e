package dev.counterpoint.gateway.log.owner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.job.SuspectReport;
import dev.counterpoint.bus.job.SuspectReport.Finding;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.SignedRecord;
import dev.counterpoint.bus.testkit.TestKeys;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// C1: whose jobs crash workers, and whose requests are therefore refused.
class QuarantineTest {
    private static final long NOW = 1_795_168_800_000L;
    private static final Duration MEMORY = Quarantine.MEMORY;
    private static final ResponseId RESPONSE = new ResponseId(1_000, 3, 1, 1);
    private static final String KEY = "key-1";

    private final Quarantine quarantine = new Quarantine();

    @Test
    void c1EndingsThroughTwoWorkersRefuseTheKey() {
        // When
        quarantine.take(ended("worker-1", NOW), NOW);
        var afterOne = quarantine.refusedFor(KEY, NOW);
        quarantine.take(ended("worker-2", NOW), NOW);
        // Then
        assertThat(afterOne).isZero();
        assertThat(quarantine.refusedFor(KEY, NOW)).isEqualTo(MEMORY);
        assertThat(quarantine.refusedFor("key-2", NOW)).isZero();
    }

    @Test
    void c1OneWorkerIsOneLossHoweverManyJobsItHad() {
        // When
        for (int job = 0; job < 20; job++) {
            quarantine.take(ended("worker", NOW), NOW);
        }
        var afterOneWorker = quarantine.refusedFor(KEY, NOW);
        quarantine.take(ended("another", NOW), NOW);
        // Then
        assertThat(afterOneWorker).isZero();
        assertThat(quarantine.refusedFor(KEY, NOW)).isPositive();
    }

    @Test
    void aLossThatEndedNothingAndAnEndWithoutAWorkerDoNotCount() {
        // When
        quarantine.take(ended("worker-1", NOW), NOW);
        quarantine.take(
                new SuspectReport(RESPONSE, KEY, "tenant", "model", 1, NOW, Finding.WORKER_DIED, false, "worker-2"),
                NOW);
        quarantine.take(report(KEY, null, NOW, Finding.NEVER_FENCED), NOW);
        // Then
        assertThat(quarantine.refusedFor(KEY, NOW)).isZero();
    }

    @Test
    void endingsMoreThanTenMinutesApartDoNotCountTogether() {
        // When
        quarantine.take(ended("worker-1", NOW), NOW);
        long later = NOW + MEMORY.toMillis();
        quarantine.take(ended("worker-2", later), later);
        // Then
        assertThat(quarantine.refusedFor(KEY, later)).isZero();
    }

    @Test
    void aRefusalLastsTenMinutesFromTheSecondEnding() {
        // When
        quarantine.take(ended("worker-1", NOW), NOW);
        quarantine.take(ended("worker-2", NOW + 1_000), NOW + 1_000);
        // Then
        long over = NOW + 1_000 + MEMORY.toMillis();
        assertThat(quarantine.refusedFor(KEY, over - 1)).hasMillis(1);
        assertThat(quarantine.refusedFor(KEY, over)).isZero();
    }

    @Test
    void aGatewayThatReadsTheTopicLaterDecidesAsTheOthers() {
        // When
        long second = NOW + MEMORY.toMillis() - 1;
        quarantine.take(ended("worker-1", NOW), second + 60_000);
        quarantine.take(ended("worker-2", second), second + 60_000);
        // Then
        assertThat(quarantine.refusedFor(KEY, second + 60_000)).isEqualTo(MEMORY.minusMinutes(1));
    }

    @Test
    void aClockThatIsAheadRefusesForNoLonger() {
        // When
        quarantine.take(ended("worker-1", NOW + 3_600_000), NOW);
        quarantine.take(ended("worker-2", NOW + 3_600_000), NOW);
        // Then
        assertThat(quarantine.refusedFor(KEY, NOW)).isEqualTo(MEMORY);
    }

    @Test
    void reportsOfEarlierVersionsCountWhereTheyEndedAResponse() {
        // When an earlier version cleared one that ran alone
        quarantine.take(ended("worker-1", NOW), NOW);
        quarantine.take(report(KEY, "worker-2", NOW, Finding.CLEARED), NOW);
        // Then
        assertThat(quarantine.refusedFor(KEY, NOW)).isZero();
    }

    @Test
    void aFloodForgetsTheOldestKey() {
        // Given
        quarantine.take(ended("worker-1", NOW), NOW);
        quarantine.take(ended("worker-2", NOW), NOW);
        // When
        for (int number = 0; number < Quarantine.KEYS_MAX; number++) {
            quarantine.take(report("other-" + number, "worker", NOW, Finding.WORKER_DIED), NOW);
        }
        // Then
        assertThat(quarantine.refusedFor(KEY, NOW)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void onlyAGatewaysReportCounts(ServiceRole role) {
        // Given
        long now = System.currentTimeMillis();
        var loop = new EvidenceLoop(
                new KafkaClients("localhost:1", Map.of()), quarantine, TestKeys.of(ServiceRole.GATEWAY));
        // When
        for (int number = 1; number <= 2; number++) {
            var report = ended("worker-" + number, now).encode();
            var signed = TestKeys.of(role).signatures().sign(SignedRecord.SUSPECT_REPORT, Topic.SUSPECTS, report);
            loop.takeReport(new ConsumerRecord<>(Topic.SUSPECTS, 0, number, "any", signed));
        }
        // Then
        assertThat(quarantine.refusedFor(KEY, now).isPositive()).isEqualTo(role == ServiceRole.GATEWAY);
    }

    private static SuspectReport ended(String worker, long at) {
        return report(KEY, worker, at, Finding.WORKER_DIED);
    }

    private static SuspectReport report(String key, @Nullable String worker, long at, Finding finding) {
        return new SuspectReport(RESPONSE, key, "tenant", "model", 2, at, finding, true, worker);
    }
}
