package dev.counterpoint.worker.draft;

import dev.counterpoint.bus.draft.DraftAnswer;
import dev.counterpoint.bus.draft.DraftRequest;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.worker.draft.DraftMetrics.Outcome;
import dev.counterpoint.worker.draft.DraftWriter.Draft;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Answers requests, a few at once: opens each request, runs the writer, seals the result and appends the answer. A
/// request never waits: without a slot, or while this worker stops, the worker rejects it. A failed draft gets an
/// answer without a text, or no answer. Thread-safe.
public final class DraftAnswerer {
    private static final Logger LOG = LoggerFactory.getLogger(DraftAnswerer.class);
    private static final Duration WRITING_MAX = Duration.ofSeconds(25);

    private final KeyRing keys;
    private final DraftWriter writer;
    private final DraftMetrics metrics;
    private final Limits limits;
    private final Appender bus;
    private final Semaphore places;

    /// @param atOnce drafts at most
    /// @param stops whether this worker stops
    public record Limits(int atOnce, BooleanSupplier stops) {}

    /// Appends a record and waits until the broker has it.
    public interface Appender {
        long append(ProducerRecord<String, byte[]> record)
                throws InterruptedException, ExecutionException, TimeoutException;
    }

    public DraftAnswerer(KeyRing keys, DraftWriter writer, DraftMetrics metrics, Limits limits, Appender bus) {
        this.keys = keys;
        this.writer = writer;
        this.metrics = metrics;
        this.limits = limits;
        this.bus = bus;
        places = new Semaphore(limits.atOnce);
    }

    /// Answers a request on a new thread.
    ///
    /// @param spare supplies a slot for the draft, or null; not called when enough drafts are running
    public void answer(ConsumerRecord<String, byte[]> record, Supplier<? extends @Nullable DraftSlot> spare) {
        var slot = slot(spare);
        Thread.ofVirtual().name("draft").start(() -> {
            try {
                answer(record, slot);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                if (slot != null) {
                    slot.close();
                    places.release();
                }
            }
        });
    }

    private @Nullable DraftSlot slot(Supplier<? extends @Nullable DraftSlot> spare) {
        if (!places.tryAcquire()) {
            return null;
        }
        var slot = spare.get();
        if (slot == null) {
            places.release();
        }
        return slot;
    }

    private void answer(ConsumerRecord<String, byte[]> record, @Nullable DraftSlot slot) throws InterruptedException {
        DraftRequest request;
        try {
            request = DraftRequest.verified(KafkaClients.body(record), record.topic(), keys);
        } catch (SealException | MalformedMessageException e) {
            metrics.became(Outcome.FORGED);
            return;
        }
        if (late(request)) {
            metrics.became(Outcome.LATE);
        } else if (slot == null || limits.stops.getAsBoolean()) {
            answered(request, Draft.NOTHING, Outcome.TURNED_AWAY);
        } else {
            write(request, slot);
        }
    }

    private static boolean late(DraftRequest request) {
        return System.currentTimeMillis() > request.deadlineMillis();
    }

    private void write(DraftRequest request, DraftSlot slot) throws InterruptedException {
        var draft = Draft.NOTHING;
        var outcome = Outcome.FAILED;
        try {
            long giveUp = System.nanoTime() + WRITING_MAX.toNanos();
            BooleanSupplier goesOn = () -> !limits.stops.getAsBoolean() && !late(request) && System.nanoTime() < giveUp;
            draft = writer.write(request, request.open(keys), slot, goesOn);
        } catch (SealException | MalformedMessageException e) {
            outcome = Outcome.UNREADABLE;
        } catch (RuntimeException | StackOverflowError e) {
            // The message may hold content, so the log names only the class.
            LOG.warn(
                    "draft failed responseId={} cause={}",
                    request.response(),
                    e.getClass().getName());
        }
        metrics.cost(draft);
        if (draft.text() == null && late(request)) {
            metrics.became(Outcome.LATE);
        } else {
            answered(request, draft, draft.text() == null ? outcome : Outcome.WRITTEN);
        }
    }

    private void answered(DraftRequest request, Draft draft, Outcome outcome) throws InterruptedException {
        var text = draft.text();
        var answer = text == null
                ? DraftAnswer.failed(request, draft.promptTokens(), draft.sampledTokens())
                : DraftAnswer.written(request, text, draft.promptTokens(), draft.sampledTokens(), keys);
        try {
            bus.append(new ProducerRecord<>(Topic.DRAFT_ANSWERS, request.id().toString(), answer.signed(keys)));
            metrics.became(outcome);
        } catch (ExecutionException | TimeoutException | KafkaException | IllegalStateException e) {
            // The bus is away, or this worker has closed its connection.
            metrics.became(Outcome.FAILED);
        }
    }
}
