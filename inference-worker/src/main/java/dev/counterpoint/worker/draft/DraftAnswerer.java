package dev.counterpoint.worker.draft;

import dev.counterpoint.bus.draft.DraftAnswer;
import dev.counterpoint.bus.draft.DraftRequest;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.kafka.Topics;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.worker.draft.DraftMetrics.Outcome;
import dev.counterpoint.worker.draft.DraftSlots.DraftSlot;
import dev.counterpoint.worker.draft.DraftWriter.Draft;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Answers one request after the other: opens it, has it written, seals what came of it and appends that.
/// Whatever goes wrong with a draft is an answer without a text, or none. Thread-safe.
public final class DraftAnswerer {
    private static final Logger LOG = LoggerFactory.getLogger(DraftAnswerer.class);
    /// Less than a draft is lent for, so that it is written here or elsewhere.
    private static final Duration WRITING_MAX = Topics.LEASE.minusSeconds(5);

    private final KeyRing keys;
    private final DraftWriter writer;
    private final DraftMetrics metrics;
    private final Appender bus;

    /// Appends a record and waits until the broker has it.
    public interface Appender {
        long append(ProducerRecord<String, byte[]> record)
                throws InterruptedException, ExecutionException, TimeoutException;
    }

    public DraftAnswerer(KeyRing keys, DraftWriter writer, DraftMetrics metrics, Appender bus) {
        this.keys = keys;
        this.writer = writer;
        this.metrics = metrics;
        this.bus = bus;
    }

    /// @param slot null when none is free for it
    /// @param stops whether this worker stops
    /// @return what becomes of the record
    AcknowledgeType answer(ConsumerRecord<String, byte[]> record, @Nullable DraftSlot slot, BooleanSupplier stops)
            throws InterruptedException {
        DraftRequest request;
        try {
            request = DraftRequest.verified(KafkaClients.body(record), record.topic(), keys);
        } catch (SealException | MalformedMessageException e) {
            metrics.became(Outcome.FORGED);
            return AcknowledgeType.ACCEPT;
        }
        if (late(request)) {
            metrics.became(Outcome.LATE);
            return AcknowledgeType.ACCEPT;
        }
        boolean given = record.deliveryCount().orElse((short) 1) == 1;
        if (stops.getAsBoolean() || slot == null && given) {
            metrics.became(Outcome.RETURNED);
            return AcknowledgeType.RELEASE;
        }
        return slot == null ? answered(request, Draft.NOTHING, Outcome.TURNED_AWAY) : write(request, slot, stops);
    }

    private static boolean late(DraftRequest request) {
        return System.currentTimeMillis() > request.deadlineMillis();
    }

    private AcknowledgeType write(DraftRequest request, DraftSlot slot, BooleanSupplier stops)
            throws InterruptedException {
        var draft = Draft.NOTHING;
        try {
            long giveUp = System.nanoTime() + WRITING_MAX.toNanos();
            BooleanSupplier goesOn = () -> !stops.getAsBoolean() && !late(request) && System.nanoTime() < giveUp;
            draft = writer.write(request, request.open(keys), slot, goesOn);
        } catch (SealException | MalformedMessageException e) {
            return answered(request, draft, Outcome.UNREADABLE);
        } catch (RuntimeException | StackOverflowError e) {
            // The message may hold content, so only its kind is told.
            LOG.warn(
                    "draft failed responseId={} cause={}",
                    request.response(),
                    e.getClass().getName());
        }
        metrics.cost(draft);
        if (draft.text() != null) {
            return answered(request, draft, Outcome.WRITTEN);
        }
        if (stops.getAsBoolean()) {
            metrics.became(Outcome.RETURNED);
            return AcknowledgeType.RELEASE;
        }
        if (late(request)) {
            metrics.became(Outcome.LATE);
            return AcknowledgeType.ACCEPT;
        }
        return answered(request, draft, Outcome.FAILED);
    }

    private AcknowledgeType answered(DraftRequest request, Draft draft, Outcome outcome) throws InterruptedException {
        var text = draft.text();
        var answer = text == null
                ? DraftAnswer.failed(request, draft.promptTokens(), draft.sampledTokens())
                : DraftAnswer.written(request, text, draft.promptTokens(), draft.sampledTokens(), keys);
        try {
            bus.append(new ProducerRecord<>(Topic.DRAFT_ANSWERS, request.id().toString(), answer.signed(keys)));
            metrics.became(outcome);
            return AcknowledgeType.ACCEPT;
        } catch (ExecutionException | TimeoutException | KafkaException | IllegalStateException e) {
            // The bus is away, or this worker has closed its connection.
            metrics.became(Outcome.RETURNED);
            return AcknowledgeType.RELEASE;
        }
    }
}
