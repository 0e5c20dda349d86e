package dev.counterpoint.gateway.log;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.gateway.generation.RecoveredResponseHandler;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the stretch of a partition that a new owner finds, with a consumer of its own, so that the streams that run
/// here do not wait for it. Most responses in it have ended long ago and need no owner.
@Singleton
final class StretchReader {
    private static final Logger LOG = LoggerFactory.getLogger(StretchReader.class);
    private static final Duration POLL = Duration.ofMillis(250);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);
    private static final int ASKED_AT_ONCE = 1_000;

    private final Supplier<Consumer<String, byte[]>> consumers;
    private final KeyRing keys;
    private final Function<List<ResponseId>, Set<ResponseId>> onRecord;

    @Inject
    StretchReader(KafkaClients clients, KeyRing keys, Instance<RecoveredResponseHandler> handlers) {
        this(
                clients::replayReader,
                keys,
                ids -> handlers.stream()
                        .flatMap(handler -> handler.ended(ids).stream())
                        .collect(Collectors.toSet()));
    }

    /// @param onRecord which of some responses have their ending on record
    StretchReader(
            Supplier<Consumer<String, byte[]>> consumers,
            KeyRing keys,
            Function<List<ResponseId>, Set<ResponseId>> onRecord) {
        this.consumers = consumers;
        this.keys = keys;
        this.onRecord = onRecord;
    }

    /// The part of a stretch that is still to be followed. All of it where log or database do not answer, because to
    /// bring a response to its end twice does no harm.
    FollowedPartition.Stretch left(int partition, FollowedPartition.Stretch whole) {
        if (whole.isEmpty()) {
            return whole;
        }
        try {
            var survey = survey(partition, whole);
            var left = survey.left(whole, onRecord(survey.endedWithRow()));
            LOG.info(
                    "adopts partition={} frames={} done={} follows-from={}",
                    partition,
                    whole.end() - whole.from(),
                    left.done().size(),
                    left.from());
            return left;
        } catch (RuntimeException e) {
            LOG.warn(
                    "all is followed partition={} cause={}",
                    partition,
                    e.getClass().getSimpleName());
            return whole;
        }
    }

    private Set<ResponseId> onRecord(List<ResponseId> ended) {
        return ended.stream()
                .gather(Gatherers.windowFixed(ASKED_AT_ONCE))
                .flatMap(some -> onRecord.apply(some).stream())
                .collect(Collectors.toSet());
    }

    private StretchSurvey survey(int partition, FollowedPartition.Stretch whole) {
        var survey = new StretchSurvey(keys);
        var at = new TopicPartition(Topic.FRAMES, partition);
        try (var consumer = consumers.get()) {
            consumer.assign(List.of(at));
            consumer.seek(at, whole.from());
            long giveUpNanos = System.nanoTime() + ANSWER_MAX.toNanos();
            while (consumer.position(at, ANSWER_MAX) < whole.end()) {
                var records = consumer.poll(POLL);
                if (!records.isEmpty()) {
                    giveUpNanos = System.nanoTime() + ANSWER_MAX.toNanos();
                } else if (System.nanoTime() > giveUpNanos) {
                    throw new KafkaException("the stretch does not come");
                }
                records.forEach(record -> take(record, survey, whole.end()));
            }
        }
        return survey;
    }

    /// What is no frame is counted by whoever follows the partition.
    private static void take(ConsumerRecord<String, byte[]> record, StretchSurvey survey, long end) {
        if (record.offset() >= end) {
            return;
        }
        try {
            survey.accept(Frame.decode(record), record.offset());
        } catch (MalformedMessageException e) {
            LOG.debug("no frame partition={} offset={}", record.partition(), record.offset());
        }
    }
}
