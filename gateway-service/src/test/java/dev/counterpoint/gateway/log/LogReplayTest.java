package dev.counterpoint.gateway.log;

import static dev.counterpoint.gateway.log.WorkerVoice.RESPONSE;
import static dev.counterpoint.gateway.log.WorkerVoice.accepted;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.LogTrust;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.generation.Replays;
import dev.counterpoint.gateway.problem.BackendUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class LogReplayTest {
    private static final TopicPartition PARTITION = new TopicPartition(Topic.FRAMES, RESPONSE.partition());
    private static final ResponseId ANOTHER = new ResponseId(1_000, RESPONSE.partition(), 1, 1);
    private static final End END = new End(End.Finish.STOP, 1, 0, 2, 0, 0);

    private static final Rings RINGS = Rings.ofTests();

    private final Log log = new Log();
    private final WorkerVoice anna = new WorkerVoice(1, 0xA);
    private Instant now = Instant.ofEpochMilli(RESPONSE.acceptedAtMillis());

    @Test
    void saysWhatTheFollowingLoopTellsItsOwnReader() throws InterruptedException {
        // Given
        var accepted = WorkerVoice.acceptedWithSummary();
        var bert = new WorkerVoice(2, 0xB);
        var frames = List.of(
                WorkerVoice.frame(accepted),
                anna.fence(RINGS.worker()),
                anna.thinks(0, "so"),
                anna.says(1, "held back by the summary"),
                WorkerVoice.reissue(2),
                bert.fence(RINGS.worker()),
                anna.says(1, "void"),
                bert.says(1, " and more"),
                anna.sumsUp(0, 0, "A sentence."),
                anna.summedUp(1, 0),
                bert.ends(END));
        frames.forEach(log::append);
        // When
        var replayed = readAll(open());
        // Then
        assertThat(replayed)
                .usingRecursiveFieldByFieldElementComparator()
                .isEqualTo(told(accepted, frames))
                .hasSize(6)
                .endsWith(new ModelOutput.Finished(END));
    }

    @Test
    void othersOnThePartitionAreNotHeard() throws InterruptedException {
        // Given
        var other = new WorkerVoice(ANOTHER, 1, 0xB);
        log.append(WorkerVoice.frame(ANOTHER, accepted()));
        log.append(other.fence(RINGS.worker()));
        log.append(WorkerVoice.frame(accepted()));
        log.append(other.says(0, "not yours"));
        log.append(anna.fence(RINGS.worker()));
        log.append(new byte[] {1, 2, 3});
        log.append(anna.says(0, "yours"));
        log.append(other.ends(END));
        log.append(anna.ends(END));
        // When
        var replayed = readAll(open());
        // Then
        assertThat(replayed).extracting(WorkerVoice::text).containsExactly("yours", null);
    }

    @Test
    void aResponseThatRunsIsFollowed() throws InterruptedException {
        // Given
        log.append(WorkerVoice.frame(accepted()));
        log.append(anna.fence(RINGS.worker()));
        var replay = open();
        assertThat(replay.next(0)).isNull();
        // When
        log.append(anna.ends(END));
        // Then
        assertThat(replay.next(1_000)).isEqualTo(new ModelOutput.Finished(END));
    }

    @Test
    void whatTheReaderDidNotAskForStaysInTheLog() throws InterruptedException {
        // Given
        log.append(WorkerVoice.frame(accepted()));
        log.append(anna.fence(RINGS.worker()));
        var replay = open();
        for (int i = 0; i < 1_000; i++) {
            log.append(anna.says(0, "word"));
        }
        // When
        replay.next(1_000);
        // Then
        assertThat(log.handedOut).isLessThanOrEqualTo(2 + Log.BATCH);
    }

    @Test
    void whatBeganBeforeTheWindowIsGone() {
        // Given
        log.append(WorkerVoice.frame(accepted()));
        now = now.plus(Duration.ofHours(1)).plusMillis(1);
        // Then
        assertThatThrownBy(() -> open()).isInstanceOf(Replays.GoneException.class);
    }

    @Test
    void whatTheBusNoLongerHasIsGoneAndFreesItsPlace() {
        // Given
        log.append(WorkerVoice.frame(ANOTHER, accepted()));
        var readers = new ArrayList<Log>();
        var replays = replays(1, () -> {
            readers.add(log.another());
            return readers.getLast();
        });
        // Then
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> replays.open(RESPONSE, 0)).isInstanceOf(Replays.GoneException.class);
        }
        assertThat(readers).hasSize(2).allMatch(Log::closed);
    }

    @Test
    void whetherAResponseWasAcceptedIsKnownForAsLongAsTheBusKeepsIt() throws InterruptedException {
        // Given
        now = now.plus(Duration.ofHours(1)).plusMillis(1);
        var replays = replays(1, log::another);
        log.append(WorkerVoice.frame(ANOTHER, accepted()));
        log.append(anna.fence(RINGS.worker()));
        // Then
        assertThat(replays.accepted(RESPONSE, 0)).isFalse();
        log.append(WorkerVoice.frame(accepted()));
        assertThat(replays.accepted(RESPONSE, 10_000)).isTrue();
        assertThat(replays.accepted(RESPONSE, 10_000))
                .as("the place is free again")
                .isTrue();
    }

    @Test
    void aBusThatDoesNotAnswerSaysNothingOfWhatWasAccepted() {
        log.away = true;
        var replays = replays(1, () -> log);
        assertThatThrownBy(() -> replays.accepted(RESPONSE, 0)).isInstanceOf(BackendUnavailableException.class);
    }

    @Test
    void asManyReplaysAsThereMayBeAndOneMoreWhenOneIsClosed() throws InterruptedException {
        // Given
        log.append(WorkerVoice.frame(accepted()));
        var replays = replays(2, log::another);
        replays.open(RESPONSE, 0);
        var second = replays.open(RESPONSE, 0);
        assertThatThrownBy(() -> replays.open(RESPONSE, 0)).isInstanceOf(Replays.BusyException.class);
        // When
        second.close();
        second.close();
        // Then
        assertThat(second.next(10_000)).isNull();
        assertThat(replays.open(RESPONSE, TimeUnit.SECONDS.toMillis(10))).isNotNull();
        assertThatThrownBy(() -> replays.open(RESPONSE, 0)).isInstanceOf(Replays.BusyException.class);
    }

    private Replays.Replay open() throws InterruptedException {
        return replays(1, () -> log).open(RESPONSE, 0);
    }

    private LogReplays replays(int most, Supplier<Consumer<String, byte[]>> consumers) {
        var settings = TestStreamSettings.with(Map.of("gateway.stream.replay-readers", Integer.toString(most)));
        return new LogReplays(settings, consumers, RINGS.gateway(), () -> now);
    }

    private static List<ModelOutput> told(Accepted accepted, List<Frame> frames) {
        var trust = Objects.requireNonNull(LogTrust.of(frames.getFirst(), RINGS.gateway()));
        var followed = new FollowedResponse(trust, 0, accepted, new ReaderHandle(new Mailbox(16)));
        return frames.stream()
                .flatMap(frame -> followed.accept(frame, 0).stream())
                .toList();
    }

    private static List<ModelOutput> readAll(Replays.Replay replay) throws InterruptedException {
        var all = new ArrayList<ModelOutput>();
        do {
            all.add(requireNonNull(replay.next(10_000)));
        } while (!(all.getLast() instanceof ModelOutput.Finished));
        return all;
    }

    /// A partition that knows the times of its records, as the broker does, and hands them out in batches.
    private static final class Log extends MockConsumer<String, byte[]> {
        static final int BATCH = 10;
        private final List<byte[]> records = new ArrayList<>();
        private int handedOut;
        private boolean away;

        Log() {
            super("none");
            updateBeginningOffsets(Map.of(PARTITION, 0L));
        }

        /// The same log for one more reader.
        Log another() {
            var another = new Log();
            records.forEach(another::append);
            return another;
        }

        void append(Frame frame) {
            append(frame.encode());
        }

        private static String key(byte[] value) {
            try {
                return Frame.decode(value).response().toString();
            } catch (MalformedMessageException e) {
                return "none";
            }
        }

        void append(byte[] value) {
            records.add(value);
        }

        @Override
        public synchronized ConsumerRecords<String, byte[]> poll(Duration atMost) {
            int until = Math.min(records.size(), handedOut + BATCH);
            for (; handedOut < until; handedOut++) {
                addRecord(new ConsumerRecord<>(
                        PARTITION.topic(),
                        PARTITION.partition(),
                        handedOut,
                        RESPONSE.acceptedAtMillis() + 1,
                        TimestampType.CREATE_TIME,
                        0,
                        0,
                        key(records.get(handedOut)),
                        records.get(handedOut),
                        new RecordHeaders(),
                        Optional.empty()));
            }
            return super.poll(atMost);
        }

        @Override
        public synchronized Map<TopicPartition, Long> endOffsets(
                Collection<TopicPartition> partitions, Duration atMost) {
            if (away) {
                throw new TimeoutException("away");
            }
            return Map.of(PARTITION, (long) records.size());
        }

        @Override
        public synchronized Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(
                Map<TopicPartition, Long> times, Duration atMost) {
            return records.isEmpty() ? Map.of() : Map.of(PARTITION, new OffsetAndTimestamp(0, 0));
        }
    }
}
