package dev.counterpoint.worker.draft;

import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.worker.draft.DraftSlots.DraftSlot;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes the drafts of a model, one at a time, and holds each until it is answered: of a worker that dies the
/// queue gives it to another one. It asks with a slot in hand. A draft that comes later, to a consumer that
/// asked in vain and listens, goes back once where no slot is free, and is turned away when it comes again. One
/// thread.
public final class DraftConsumer implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(DraftConsumer.class);
    private static final Duration POLL = Duration.ofMillis(250);
    /// Within this an answer about a queue that has drafts should be here.
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final Queue queue;
    private final DraftSlots slots;
    private final DraftAnswerer answerer;
    private volatile @Nullable KafkaShareConsumer<String, byte[]> taking;
    private volatile boolean closed;

    /// The drafts of one model.
    ///
    /// @param group the share group of the model's workers
    public record Queue(KafkaClients clients, String topic, String group) {}

    public DraftConsumer(Queue queue, DraftSlots slots, DraftAnswerer answerer) {
        this.queue = queue;
        this.slots = slots;
        this.answerer = answerer;
    }

    /// Takes no more drafts, and gives back what is being written.
    public void close() {
        closed = true;
        var asking = taking;
        if (asking != null) {
            asking.wakeup();
        }
    }

    @Override
    public void run() {
        while (!closed) {
            try (var consumer = queue.clients.jobTaker(queue.group)) {
                taking = consumer;
                consumer.subscribe(List.of(queue.topic));
                take(consumer);
            } catch (InterruptedException | WakeupException e) {
                return;
            } catch (KafkaException e) {
                LOG.warn("taking drafts is retried cause={}", e.getClass().getSimpleName());
                pause();
            } catch (RuntimeException e) {
                LOG.error("taking drafts failed and is retried topic={}", queue.topic, e);
                pause();
            }
        }
    }

    private void take(KafkaShareConsumer<String, byte[]> consumer) throws InterruptedException {
        boolean listening = false;
        while (!closed) {
            var slot = listening ? null : slots.tryAcquireSpare(POLL);
            if (slot != null || listening) {
                listening = !takeNext(consumer, slot);
            }
        }
    }

    /// @param held the slot for it; null while listening
    /// @return whether there was a draft
    private boolean takeNext(KafkaShareConsumer<String, byte[]> consumer, @Nullable DraftSlot held)
            throws InterruptedException {
        var records = ConsumerRecords.<String, byte[]>empty();
        try {
            records = consumer.poll(held == null ? POLL : LOOK);
            for (var record : records) {
                var answer = AcknowledgeType.RELEASE;
                var slot = held == null ? slots.tryAcquireSpare(Duration.ZERO) : held;
                try {
                    answer = answerer.answer(record, slot, () -> closed);
                } finally {
                    close(slot);
                    consumer.acknowledge(record, answer);
                    consumer.commitAsync();
                }
            }
            return !records.isEmpty();
        } finally {
            close(held);
        }
    }

    private static void close(@Nullable DraftSlot slot) {
        if (slot != null) {
            slot.close();
        }
    }

    private void pause() {
        try {
            Thread.sleep(RETRY);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closed = true;
        }
    }
}
