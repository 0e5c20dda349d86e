package dev.counterpoint.worker.queue;

import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.GroupMaxSizeReachedException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes the records of one queue on one thread until it is closed. What goes wrong ends a consumer, and the next
/// one is opened after a pause.
public abstract class QueueTaker implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(QueueTaker.class);

    private final String topic;
    private final String group;
    private final Duration retry;
    private volatile @Nullable KafkaShareConsumer<String, byte[]> taking;
    private volatile boolean closed;

    /// @param group the share group that takes from the queue
    /// @param retry the pause before the next consumer
    protected QueueTaker(String topic, String group, Duration retry) {
        this.topic = topic;
        this.group = group;
        this.retry = retry;
    }

    /// Whether this taker may be in the group now.
    protected boolean hasPlace() {
        return true;
    }

    /// A consumer in the group.
    protected abstract KafkaShareConsumer<String, byte[]> open();

    /// Takes records until this is closed or has no place any more.
    protected abstract void take(KafkaShareConsumer<String, byte[]> consumer) throws InterruptedException;

    protected final boolean isClosed() {
        return closed;
    }

    /// Takes no more records; what was taken and not begun goes back to the queue. Any thread.
    public final void close() {
        closed = true;
        var asking = taking;
        if (asking != null) {
            asking.wakeup();
        }
    }

    @Override
    public final void run() {
        while (!closed) {
            if (!hasPlace()) {
                pause();
                continue;
            }
            try (var consumer = open()) {
                taking = consumer;
                consumer.subscribe(List.of(topic));
                take(consumer);
            } catch (InterruptedException | WakeupException e) {
                return;
            } catch (GroupMaxSizeReachedException e) {
                LOG.error("no place for this worker group={}: raise group.share.max.size of the brokers", group);
                pause();
            } catch (KafkaException e) {
                LOG.warn(
                        "taking is retried topic={} cause={}",
                        topic,
                        e.getClass().getSimpleName());
                pause();
            } catch (RuntimeException e) {
                LOG.error("taking failed and is retried topic={}", topic, e);
                pause();
            }
        }
    }

    private void pause() {
        try {
            Thread.sleep(retry);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closed = true;
        }
    }
}
