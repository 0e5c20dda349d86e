package dev.counterpoint.gateway.log;

import dev.counterpoint.bus.job.JobTicket;
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
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the dead letters of all queues into [DeadLetters]. Every gateway reads all there are, as far back as the
/// topic goes: there are few, and a response may come to this gateway after its letter.
@Startup
@ApplicationScoped
class DeadLetterLoop {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterLoop.class);

    /// By the broker: the queue that the job stood in.
    private static final String QUEUE = "__dlq.errors.topic";

    private final DeadLetters letters;
    private final Signatures signatures;
    private final PollLoop loop;

    @Inject
    DeadLetterLoop(KafkaClients clients, DeadLetters letters, KeyRing keys) {
        this.letters = letters;
        signatures = keys.signatures();
        loop = PollLoop.fromBeginning(clients::tailReader, Topic.DEAD_LETTERS, this::take);
    }

    @PostConstruct
    void start() {
        loop.start();
    }

    /// The broker copies what could not be read as well.
    void take(ConsumerRecord<String, byte[]> record) {
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

    @PreDestroy
    void close() {
        loop.close();
    }
}
