package dev.counterpoint.worker.draft;

import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.worker.draft.DraftSlots.DraftSlot;
import dev.counterpoint.worker.queue.QueueTaker;
import java.time.Duration;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.jspecify.annotations.Nullable;

/// Takes the drafts of a model, one at a time, and holds each until it is answered: of a worker that dies the
/// queue gives it to another one. It asks with a slot in hand. A draft that comes later, to a consumer that
/// asked in vain and listens, goes back once where no slot is free, and is turned away when it comes again. One
/// thread.
public final class DraftConsumer extends QueueTaker {
    private static final Duration POLL = Duration.ofMillis(250);
    /// Within this an answer about a queue that has drafts should be here.
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final Queue queue;
    private final DraftSlots slots;
    private final DraftAnswerer answerer;

    /// The drafts of one model.
    ///
    /// @param group the share group of the model's workers
    public record Queue(KafkaClients clients, String topic, String group) {}

    public DraftConsumer(Queue queue, DraftSlots slots, DraftAnswerer answerer) {
        super(queue.topic, queue.group, RETRY);
        this.queue = queue;
        this.slots = slots;
        this.answerer = answerer;
    }

    @Override
    protected KafkaShareConsumer<String, byte[]> open() {
        return queue.clients.jobTaker(queue.group);
    }

    @Override
    protected void take(KafkaShareConsumer<String, byte[]> consumer) throws InterruptedException {
        boolean listening = false;
        while (!isClosed()) {
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
                    answer = answerer.answer(record, slot, this::isClosed);
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
}
