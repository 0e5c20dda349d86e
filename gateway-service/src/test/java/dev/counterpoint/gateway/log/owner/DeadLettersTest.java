package dev.counterpoint.gateway.log.owner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.SignedRecord;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.bus.wire.UnknownFields;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeadLettersTest {
    private static final ResponseId RESPONSE = new ResponseId(1_000, 3, 1, 2);

    private static final String QUEUE = Topic.jobsName("model", Topic.Band.NORMAL);

    private final DeadLetters letters = new DeadLetters();
    private final EvidenceLoop loop = new EvidenceLoop(
            new KafkaClients("localhost:1", Map.of()), letters, new Quarantine(), TestKeys.of(ServiceRole.GATEWAY));

    @Test
    void aLetterStandsForItsAttemptAndThoseBefore() {
        // When
        loop.takeLetter(record(signed(2, QUEUE)));
        loop.takeLetter(record(signed(1, QUEUE)));
        // Then
        assertThat(letters.hold(RESPONSE, 1)).isTrue();
        assertThat(letters.hold(RESPONSE, 2)).isTrue();
        assertThat(letters.hold(RESPONSE, 3)).isFalse();
        assertThat(letters.hold(new ResponseId(1_000, 3, 1, 3), 1)).isFalse();
    }

    @Test
    void h4ALetterAboutAJobThatNoGatewayQueuedThereHoldsNothingUp() {
        // When
        loop.takeLetter(record(new JobTicket(RESPONSE, 7, 1, "tenant", Set.of(), 9, UnknownFields.NONE).encode()));
        loop.takeLetter(record(signed(1, "jobs.other.normal")));
        // Then
        assertThat(letters.hold(RESPONSE, 1)).isFalse();
    }

    private static byte[] signed(int attempt, String queue) {
        var ticket = new JobTicket(RESPONSE, 7, attempt, "tenant", Set.of(), 9, UnknownFields.NONE);
        return TestKeys.of(ServiceRole.GATEWAY).signatures().sign(SignedRecord.JOB_TICKET, queue, ticket.encode());
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "no ticket"})
    void aLetterThatNobodyCanReadHoldsNothingUp(String value) {
        loop.takeLetter(record(value == null ? null : value.getBytes(StandardCharsets.UTF_8)));

        assertThat(letters.hold(RESPONSE, 1)).isFalse();
    }

    @Test
    void theOldestAreForgotten() {
        // When
        for (int number = 0; number <= DeadLetters.KEPT_MAX; number++) {
            letters.add(new ResponseId(1_000, 3, 1, number), 1);
        }
        // Then
        assertThat(letters.hold(new ResponseId(1_000, 3, 1, 0), 1)).isFalse();
        assertThat(letters.hold(new ResponseId(1_000, 3, 1, 1), 1)).isTrue();
        assertThat(letters.hold(new ResponseId(1_000, 3, 1, DeadLetters.KEPT_MAX), 1))
                .isTrue();
    }

    private static ConsumerRecord<String, byte[]> record(byte @Nullable [] value) {
        var letter = new ConsumerRecord<String, byte[]>(Topic.DEAD_LETTERS, 0, 0, null, value);
        letter.headers().add("__dlq.errors.topic", QUEUE.getBytes(StandardCharsets.UTF_8));
        return letter;
    }
}
