package dev.counterpoint.gateway.stream;

import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.Clients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.wire.MalformedMessageException;
import io.quarkus.runtime.Startup;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the dead letters of all queues into [DeadLetters]. Every gateway reads all there are, as far back as the topic
/// goes: there are few, and a response may come to this gateway after its letter.
@Startup
@ApplicationScoped
class DeadLetterLoop {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterLoop.class);
    private static final TopicPartition LETTERS = new TopicPartition(Topic.DEAD_LETTERS, 0);
    private static final Duration POLL = Duration.ofSeconds(1);

    private final Clients clients;
    private final DeadLetters letters;
    private volatile boolean closed;

    @Inject
    DeadLetterLoop(Clients clients, DeadLetters letters) {
        this.clients = clients;
        this.letters = letters;
    }

    @PostConstruct
    void start() {
        Thread.ofPlatform().name("dead-letters").daemon().start(this::run);
    }

    private void run() {
        while (!closed) {
            try (var consumer = clients.reader()) {
                consumer.assign(List.of(LETTERS));
                consumer.seekToBeginning(List.of(LETTERS));
                while (!closed) {
                    consumer.poll(POLL).forEach(this::take);
                }
            } catch (KafkaException e) {
                LOG.warn(
                        "reading dead letters is retried cause={}", e.getClass().getSimpleName());
                LockSupport.parkNanos(POLL.toNanos());
            }
        }
    }

    /// The broker copies what could not be read as well.
    void take(ConsumerRecord<String, byte[]> record) {
        try {
            var ticket = JobTicket.decode(Clients.body(record));
            LOG.warn("job is a dead letter responseId={} attempt={}", ticket.response(), ticket.attempt());
            letters.add(ticket.response(), ticket.attempt());
        } catch (MalformedMessageException e) {
            LOG.warn("dead letter cannot be read offset={}", record.offset());
        }
    }

    @PreDestroy
    void close() {
        closed = true;
    }
}
