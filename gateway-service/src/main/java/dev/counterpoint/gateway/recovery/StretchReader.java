package dev.counterpoint.gateway.recovery;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.ResponseLog;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.LogTrust;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.gateway.log.follow.FollowedPartition;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
public final class StretchReader {
    private static final Logger LOG = LoggerFactory.getLogger(StretchReader.class);
    private static final Duration POLL = Duration.ofMillis(250);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);
    private static final int ASKED_AT_ONCE = 1_000;

    private final Supplier<Consumer<String, byte[]>> consumers;
    private final KeyRing keys;
    private final Function<List<ResponseId>, Set<ResponseId>> onRecord;

    @Inject
    public StretchReader(KafkaClients clients, KeyRing keys, RecoveredTurns recovered) {
        this(clients::replayReader, keys, recovered::ended);
    }

    /// @param onRecord returns those of some responses that have their ending on record
    public StretchReader(
            Supplier<Consumer<String, byte[]>> consumers,
            KeyRing keys,
            Function<List<ResponseId>, Set<ResponseId>> onRecord) {
        this.consumers = consumers;
        this.keys = keys;
        this.onRecord = onRecord;
    }

    /// The part of a stretch that is still to be followed. All of it where log or database do not answer, because to
    /// bring a response to its end twice does no harm.
    public FollowedPartition.Stretch left(int partition, FollowedPartition.Stretch whole) {
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

    private Survey survey(int partition, FollowedPartition.Stretch whole) {
        var survey = new Survey(keys);
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

    /// `LogConsumer` counts records that are no frames.
    private static void take(ConsumerRecord<String, byte[]> record, Survey survey, long end) {
        if (record.offset() >= end) {
            return;
        }
        try {
            survey.accept(Frame.decode(record), record.offset());
        } catch (MalformedMessageException e) {
            LOG.debug("no frame partition={} offset={}", record.partition(), record.offset());
        }
    }

    /// The responses that begin in a stretch of a partition, and which of them have ended: by kinds, signatures and
    /// tags
    /// alone, so nothing of what they say is opened. Not thread-safe.
    static final class Survey {
        private final KeyRing keys;
        private final Map<ResponseId, Begun> responses = new LinkedHashMap<>();

        Survey(KeyRing keys) {
            this.keys = keys;
        }

        private static final class Begun {
            private final long offset;
            private final boolean stored;
            private final boolean audited;
            private final ResponseLog log;

            private Begun(long offset, Accepted accepted, ResponseLog log) {
                this.offset = offset;
                this.stored = accepted.stored();
                this.audited = accepted.audited();
                this.log = log;
            }

            private void accept(Frame frame) {
                log.accept(frame);
            }

            /// The closing of an opted-in response is the owner's to order, and so is its record where an owner ended
            /// it.
            private boolean ended() {
                return log.ended() && !audited;
            }
        }

        /// Takes the next frame of the stretch.
        void accept(Frame frame, long offset) {
            if (frame.kind() == FrameKind.ACCEPTED && !responses.containsKey(frame.response())) {
                var trust = LogTrust.of(frame, keys);
                if (trust != null) {
                    responses.put(
                            frame.response(), new Begun(offset, Accepted.decode(frame.body()), new ResponseLog(trust)));
                }
            }
            var response = responses.get(frame.response());
            if (response != null) {
                response.accept(frame);
            }
        }

        /// Responses that have ended, and are done if their rows say so.
        List<ResponseId> endedWithRow() {
            return responses.entrySet().stream()
                    .filter(one -> one.getValue().ended() && one.getValue().stored)
                    .map(Map.Entry::getKey)
                    .toList();
        }

        /// The part of the stretch that its new owner has to follow.
        ///
        /// @param onRecord those of [#endedWithRow] whose rows say so
        public FollowedPartition.Stretch left(FollowedPartition.Stretch whole, Set<ResponseId> onRecord) {
            var done = new HashSet<ResponseId>();
            long from = whole.end();
            for (var one : responses.entrySet()) {
                var response = one.getValue();
                if (response.ended() && (!response.stored || onRecord.contains(one.getKey()))) {
                    done.add(one.getKey());
                } else {
                    from = Math.min(from, response.offset);
                }
            }
            return new FollowedPartition.Stretch(from, whole.end(), done);
        }
    }
}
