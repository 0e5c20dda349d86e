package dev.counterpoint.summarizer.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.kafka.Topics;
import dev.counterpoint.bus.testkit.TestAccounts;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.testkit.TestKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Summarizers on a real broker; the tests write the logs as gateways and workers do.
class SummaryConsumerIT {
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final TestKafka KAFKA = TestKafka.start();
    private static final KafkaClients CLIENTS = new KafkaClients(KAFKA.bootstrapServers(), TestKafka.adminLogin());
    private static final Admin ADMIN = CLIENTS.admin();
    private static final KafkaProducer<String, byte[]> PRODUCER = CLIENTS.promptProducer();

    private final TestSummarizers summarizers = new TestSummarizers(CLIENTS);
    private final List<ResponseLogWriter> logs = new ArrayList<>();

    @BeforeAll
    static void createTopics() {
        TestAccounts.join(TestKeys.FOLDER, KAFKA.bootstrapServers(), TestKafka.adminLogin());
        new Topics(ADMIN).ensureShared(Topic.FRAMES_PER_GATEWAY);
    }

    /// Whoever comes next reads the same topic from its beginning.
    @AfterEach
    void endWhatIsOpen() throws InterruptedException {
        summarizers.stopAll();
        logs.forEach(ResponseLogWriter::ownerEnd);
    }

    @AfterAll
    static void stop() {
        PRODUCER.close(Duration.ofSeconds(2));
        ADMIN.close(Duration.ofSeconds(2));
        KAFKA.close();
    }

    @Test
    void saysEachSentenceSoonAfterItsLastToken() {
        // Given
        summarizers.start();
        var log = log(0);
        var holder = log.accepted().fence(1, 0xA).thinks(0, "Sentence 0.");
        readUntil(log, told -> told.size() == 1);
        var delays = new long[400];
        try (var reader = new LogReader(log)) {
            reader.readUntil(told -> told.size() == 1);
            for (int i = 0; i < delays.length; i++) {
                int count = i + 2;
                // When
                long began = System.nanoTime();
                holder.on(0, " More.");
                reader.readUntil(told -> told.size() == count);
                delays[i] = System.nanoTime() - began;
            }
        }
        // Then
        var warm = Arrays.copyOfRange(delays, delays.length / 2, delays.length);
        Arrays.sort(warm);
        System.out.printf(
                "from token sent to summary frame read by a gateway: p50 %.1f ms, p90 %.1f ms, p99 %.1f ms%n",
                warm[warm.length / 2] / 1e6, warm[warm.length * 9 / 10] / 1e6, warm[warm.length * 99 / 100] / 1e6);
        assertThat(Duration.ofNanos(warm[warm.length / 2])).isLessThan(Duration.ofMillis(100));
    }

    @Test
    void sumsUpWhatWasAcceptedBeforeTheFirstSummarizerEverStarted() {
        // Given
        var log = log(1);
        log.accepted()
                .fence(1, 0xA)
                .thinks(0, "One. Two.")
                .close(0)
                .answers(1, "Hello.")
                .end();
        // When
        summarizers.start();
        // Then
        assertThat(readUntil(log, SummaryConsumerIT::ended)).containsExactly("0¶One.", "0+ Two.", "0.");
    }

    @Test
    void aSuccessorGoesOnWithoutGapOrRepeat() throws Exception {
        // Given
        var first = summarizers.start();
        var log = log(2);
        var holder = log.accepted().fence(1, 0xA).thinks(0, "One. Tw");
        readUntil(log, told -> told.size() == 1);
        // When
        summarizers.stop(first);
        holder.on(0, "o. Thr");
        summarizers.start();
        holder.on(0, "ee.").close(0).thinks(1, "Four. And").end();
        // Then
        assertThat(readUntil(log, told -> told.contains("1.")))
                .containsExactly("0¶One.", "0+ Two.", "0+ Three.", "0.", "1¶Four.", "1+ And", "1.");
        assertThat(summaryFrames(log)).isEqualTo(7);
    }

    @Test
    void replicasShareTheResponsesAndTakeOverFromEachOther() throws Exception {
        // Given
        var anna = summarizers.start();
        var bert = summarizers.start();
        IntStream.range(0, Topic.FRAMES_PER_GATEWAY).forEach(this::log);
        var holders = logs.stream()
                .map(log -> log.accepted().fence(1, 0xA).thinks(0, "One."))
                .toList();
        logs.forEach(log -> readUntil(log, told -> told.size() == 1));
        TestSummarizers.await(() ->
                anna.following() + bert.following() == logs.size() && Math.min(anna.following(), bert.following()) > 0);
        // When
        summarizers.stop(anna);
        holders.forEach(holder -> holder.on(0, " Two.").close(0).end());
        // Then
        logs.forEach(
                log -> assertThat(readUntil(log, SummaryConsumerIT::ended)).containsExactly("0¶One.", "0+ Two.", "0."));
        TestSummarizers.await(() -> bert.following() == 0);
    }

    @Test
    void followsPartitionsThatAreAddedLater() {
        // Given
        summarizers.start();
        // When
        new Topics(ADMIN).ensureShared(Topic.FRAMES_PER_GATEWAY + 1);
        var log = log(Topic.FRAMES_PER_GATEWAY);
        log.accepted().fence(1, 0xA).thinks(0, "One.").end();
        // Then
        assertThat(readUntil(log, SummaryConsumerIT::ended)).containsExactly("0¶One.", "0.");
    }

    @Test
    void nothingIsLostOrRepeatedWhenTheBrokerDies() {
        // Given
        var replica = summarizers.start();
        var log = log(3);
        var holder = log.accepted().fence(1, 0xA).thinks(0, "One.");
        readUntil(log, told -> told.size() == 1);
        // When
        holder.on(0, " Two. Three. Four. Fi");
        KAFKA.kill();
        TestSummarizers.await(() -> !replica.summarizer().busAnswers());
        KAFKA.restart();
        holder.on(0, "ve.").close(0).end();
        // Then
        assertThat(readUntil(log, SummaryConsumerIT::ended))
                .containsExactly("0¶One.", "0+ Two.", "0+ Three.", "0+ Four.", "0+ Five.", "0.");
        TestSummarizers.await(replica.summarizer()::busAnswers);
    }

    @Test
    void whatCannotBeReadDisturbsNoOtherResponse() throws Exception {
        // Given
        var replica = summarizers.start();
        PRODUCER.send(new ProducerRecord<>(Topic.FRAMES, 4, "garbage", new byte[] {1, 2, 3}))
                .get();
        var bad = log(4);
        var good = log(4);
        // When
        bad.accepted(new byte[] {4}).fence(1, 0xA).thinks(0, "One.").end();
        good.accepted().fence(1, 0xB).thinks(0, "One.").end();
        // Then
        assertThat(readUntil(good, SummaryConsumerIT::ended)).containsExactly("0¶One.", "0.");
        assertThat(readUntil(bad, SummaryConsumerIT::ended)).containsExactly("0!");
        assertThat(replica.counted("failures")).isOne();
        assertThat(replica.counted("withheld")).isOne();
        assertThat(replica.counted("parts")).isOne();
    }

    @Test
    void commitsUpToTheOldestResponseThatIsNotDone() {
        // Given
        summarizers.start();
        var old = log(5);
        var holder = old.accepted().fence(1, 0xA).thinks(0, "One.");
        var young = log(5);
        young.accepted().fence(1, 0xB).thinks(0, "One.").end();
        readUntil(young, SummaryConsumerIT::ended);
        long frameZero = offset(old);
        TestSummarizers.await(() -> committed(5) == frameZero);
        // When
        holder.close(0).end();
        // Then
        TestSummarizers.await(() -> committed(5) == endOffset(5));
    }

    @Test
    void commitsWhenItStops() throws Exception {
        // Given
        var replica = summarizers.start(Map.of("summarizer.tidy-interval", "1h"));
        var log = log(7);
        log.accepted().fence(1, 0xA).thinks(0, "One.").end();
        readUntil(log, SummaryConsumerIT::ended);
        TestSummarizers.await(() -> replica.following() == 0);
        // When
        summarizers.stop(replica);
        // Then
        assertThat(committed(7)).isEqualTo(endOffset(7));
    }

    @Test
    void beatsAsASummarizerAndSaysWhenItLeaves() throws Exception {
        // Given
        var replica = summarizers.start();
        var sender = new ArrayList<String>();
        try (var reader = CLIENTS.reader()) {
            var models = List.of(new TopicPartition(Topic.MODELS, 0));
            reader.assign(models);
            reader.seekToEnd(models);
            reader.position(models.getFirst());
            // When
            TestSummarizers.await(() -> {
                reader.poll(Duration.ofMillis(100)).forEach(record -> {
                    var beat = Heartbeat.decode(record.value());
                    assertThat(beat.role()).isEqualTo(ServiceRole.SUMMARIZER);
                    assertThat(beat.lagMillis()).isLessThan(5_000);
                    assertThat(beat.sender()).isEqualTo(record.key());
                    sender.add(beat.sender());
                });
                return sender.size() >= 2;
            });
            summarizers.stop(replica);
            // Then
            var left = new ArrayList<ConsumerRecord<String, byte[]>>();
            TestSummarizers.await(() -> {
                reader.poll(Duration.ofMillis(100)).forEach(left::add);
                return !left.isEmpty() && left.getLast().value() == null;
            });
            assertThat(left.getLast().key()).isEqualTo(sender.getFirst());
        }
    }

    private ResponseLogWriter log(int partition) {
        var log = new ResponseLogWriter(
                ResponseId.create(System.currentTimeMillis(), partition), SummaryConsumerIT::append);
        logs.add(log);
        return log;
    }

    private static void append(Frame frame) {
        var id = frame.response();
        try {
            PRODUCER.send(new ProducerRecord<>(Topic.FRAMES, id.partition(), id.toString(), frame.encode()))
                    .get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean ended(List<String> told) {
        return !told.isEmpty() && (told.getLast().equals("0.") || told.getLast().equals("0!"));
    }

    private static List<String> readUntil(ResponseLogWriter log, Predicate<List<String>> there) {
        try (var reader = new LogReader(log)) {
            return reader.readUntil(there);
        }
    }

    private static long summaryFrames(ResponseLogWriter log) {
        try (var reader = new LogReader(log)) {
            reader.readToEnd();
            return reader.summaryFrames;
        }
    }

    private static long offset(ResponseLogWriter log) {
        try (var reader = new LogReader(log)) {
            reader.readToEnd();
            return reader.firstOffset;
        }
    }

    private static long endOffset(int partition) {
        try (var reader = CLIENTS.reader()) {
            var at = new TopicPartition(Topic.FRAMES, partition);
            return Objects.requireNonNull(reader.endOffsets(List.of(at)).get(at));
        }
    }

    private long committed(int partition) {
        try {
            var offsets = ADMIN.listConsumerGroupOffsets(summarizers.group)
                    .partitionsToOffsetAndMetadata()
                    .get();
            var offset = offsets.get(new TopicPartition(Topic.FRAMES, partition));
            return offset == null ? -1 : offset.offset();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Reads the log of one response as a gateway does.
    private static final class LogReader implements AutoCloseable {
        private final org.apache.kafka.clients.consumer.Consumer<String, byte[]> consumer = CLIENTS.reader();
        private final ResponseLogWriter log;
        private final TopicPartition partition;
        private final ToldSummary summary = new ToldSummary();
        long firstOffset = -1;
        int summaryFrames;

        LogReader(ResponseLogWriter log) {
            this.log = log;
            partition = new TopicPartition(Topic.FRAMES, log.id.partition());
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
        }

        List<String> readUntil(Predicate<List<String>> there) {
            long giveUp = System.nanoTime() + PATIENCE.toNanos();
            while (!there.test(summary.told())) {
                assertThat(System.nanoTime()).as("told %s", summary.told()).isLessThan(giveUp);
                read();
            }
            return summary.told();
        }

        void readToEnd() {
            var ends = new HashMap<>(consumer.endOffsets(List.of(partition)));
            while (consumer.position(partition) < Objects.requireNonNull(ends.get(partition))) {
                read();
            }
        }

        private void read() {
            for (var record : consumer.poll(Duration.ofMillis(100))) {
                if (log.id.toString().equals(record.key())) {
                    firstOffset = firstOffset < 0 ? record.offset() : firstOffset;
                    var frame = Frame.decode(record.value());
                    summaryFrames += frame.lane() == Lane.SUMMARY ? 1 : 0;
                    summary.accept(frame);
                }
            }
        }

        @Override
        public void close() {
            consumer.close();
        }
    }
}
