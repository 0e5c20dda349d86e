package dev.counterpoint.worker.take;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SignedRecord;
import io.micrometer.core.instrument.Counter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An attacker who may append to inboxes and has no signing key.
class ForgedJobsIT {
    private static final Set<ServiceRole> THE_ATTACKERS_WISH = Set.of(ServiceRole.GATEWAY);

    @TempDir
    Path keysDir;

    private TestWorkers workers;
    private TestGateway gateway;
    private String topic;

    @BeforeEach
    void start() throws Exception {
        workers = new TestWorkers(keysDir);
        gateway = workers.gateway;
        topic = Topic.inboxName(workers.model);
        workers.start(workers.options(Duration.ofMillis(1)).withSlots(1));
    }

    @AfterEach
    void stop() throws Exception {
        workers.stop();
    }

    @Test
    void h1AForgedTicketGivesNobodyTheReasoningKey() throws Exception {
        // Given a response whose caller may not see raw reasoning
        var ticket = gateway.accept("Count from 1 to 5.");
        var forged = readable(ticket);
        // When it comes before the gateway's own, once without a signature and once with a worker's
        append(forged.encode());
        append(KeyRing.load(keysDir, ServiceRole.WORKER)
                .signatures()
                .sign(SignedRecord.JOB_TICKET, topic, forged.encode()));
        gateway.queue(ticket);
        // Then
        assertThat(reasoningKey(ticket)).isNull();
        assertThat(counted("counterpoint.worker.jobs", "outcome", "forged")).isEqualTo(2);
        assertThat(counted("counterpoint.bus.refused", "reason", "signature")).isEqualTo(2);
    }

    @Test
    void h1ATicketThatDeniesItsFrameZeroIsNeverRun() throws Exception {
        // Given
        var ticket = gateway.accept("Count from 1 to 5.");
        // When
        gateway.queue(readable(ticket));
        var answer = gateway.read(ticket, frame -> frame.kind() == FrameKind.HANDOVER);
        // Then no frame was written under the key that it gave away
        assertThat(answer.frames).noneMatch(frame -> frame.kind() == FrameKind.DELTA);
        assertThat(counted("counterpoint.worker.jobs", "outcome", "forged")).isEqualTo(1);
    }

    private static JobTicket readable(JobTicket ticket) {
        return new JobTicket(
                ticket.response(),
                ticket.acceptedOffset(),
                ticket.attempt(),
                ticket.tenant(),
                THE_ATTACKERS_WISH,
                ticket.deadlineMillis(),
                0,
                1,
                null,
                false,
                ticket.unknown());
    }

    private void append(byte[] ticket) throws Exception {
        try (var producer = workers.clients.promptProducer()) {
            producer.send(new ProducerRecord<>(topic, 0, "any", ticket)).get();
        }
    }

    private @Nullable Object reasoningKey(JobTicket ticket) {
        return gateway.read(ticket, frame -> frame.kind() == FrameKind.END)
                .keys()
                .reasoning();
    }

    private double counted(String name, String label, String value) {
        return workers.registry.get(name).tag(label, value).counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }
}
