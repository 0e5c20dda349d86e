package dev.counterpoint.worker.job;

import dev.counterpoint.bus.job.Control;
import dev.counterpoint.bus.kafka.Clients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Listens for responses that must stop. From now on: what was said before this worker started is not about it.
final class ControlLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlLoop.class);
    private static final TopicPartition CONTROL = new TopicPartition(Topic.CONTROL, 0);

    private final Clients clients;
    private final Running running;
    private volatile boolean closed;

    ControlLoop(Clients clients, Running running) {
        this.clients = clients;
        this.running = running;
    }

    void close() {
        closed = true;
    }

    @Override
    public void run() {
        while (!closed) {
            try (var consumer = clients.reader()) {
                consumer.assign(List.of(CONTROL));
                consumer.seekToEnd(List.of(CONTROL));
                while (!closed) {
                    consumer.poll(Duration.ofMillis(250)).forEach(record -> take(record.value()));
                }
            } catch (KafkaException e) {
                LOG.warn(
                        "listening for control is retried cause={}",
                        e.getClass().getSimpleName());
            }
        }
    }

    private void take(byte[] record) {
        try {
            running.obey(Control.decode(record));
        } catch (MalformedMessageException e) {
            LOG.warn("control record passed over");
        }
    }
}
