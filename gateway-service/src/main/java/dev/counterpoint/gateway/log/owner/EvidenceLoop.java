package dev.counterpoint.gateway.log.owner;

import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.job.SuspectReport;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.seal.Signatures;
import dev.counterpoint.bus.seal.SignedRecord;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.servicekit.PollLoop;
import io.quarkus.runtime.Startup;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the dead letters of all queues into [DeadLetters], and the reports of lost workers into [Quarantine]. Every
/// gateway reads all that there are, as far back as the topics go: there are few, and a response may come to this
/// gateway after its letter.
@Startup
@ApplicationScoped
class EvidenceLoop {
    private static final Logger LOG = LoggerFactory.getLogger(EvidenceLoop.class);

    /// By the broker: the queue that the job stood in.
    private static final String QUEUE = "__dlq.errors.topic";

    private final DeadLetters letters;
    private final Quarantine quarantine;
    private final Signatures signatures;
    private final List<PollLoop> loops;
    private final InstantSource clock = InstantSource.system();

    EvidenceLoop(KafkaClients clients, DeadLetters letters, Quarantine quarantine, KeyRing keys) {
        this.letters = letters;
        this.quarantine = quarantine;
        signatures = keys.signatures();
        loops = List.of(
                PollLoop.fromBeginning(clients::tailReader, Topic.DEAD_LETTERS, this::takeLetter),
                PollLoop.fromBeginning(clients::tailReader, Topic.SUSPECTS, this::takeReport));
    }

    @PostConstruct
    void start() {
        loops.forEach(PollLoop::start);
    }

    /// The broker copies tickets that nobody could read as well.
    void takeLetter(ConsumerRecord<String, byte[]> record) {
        try {
            var ticket = JobTicket.decode(
                    signatures.verified(SignedRecord.JOB_TICKET, queue(record), KafkaClients.body(record)));
            LOG.warn("job is a dead letter responseId={} attempt={}", ticket.response(), ticket.attempt());
            letters.add(ticket.response(), ticket.attempt());
        } catch (MalformedMessageException | SealException e) {
            LOG.warn("dead letter cannot be read offset={}", record.offset());
        }
    }

    private static String queue(ConsumerRecord<String, byte[]> letter) {
        var header = letter.headers().lastHeader(QUEUE);
        return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
    }

    /// A report that no gateway signed says nothing.
    void takeReport(ConsumerRecord<String, byte[]> record) {
        try {
            var signed = KafkaClients.body(record);
            var report = SuspectReport.decode(signatures.verified(SignedRecord.SUSPECT_REPORT, Topic.SUSPECTS, signed));
            quarantine.take(report, clock.millis());
        } catch (MalformedMessageException | SealException e) {
            LOG.warn("report of a lost worker cannot be read offset={}", record.offset());
        }
    }

    @PreDestroy
    void close() {
        loops.forEach(PollLoop::close);
    }
}
