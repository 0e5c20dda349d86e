package dev.counterpoint.bus.seal;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.frame.ResponseLog;
import dev.counterpoint.bus.testkit.RecordMutator;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/// An attacker appends what it can make of records that it has read: bits flipped, cut, spliced, repeated, moved.
/// Seeded.
class MutatedRecordsTest {
    private static final int MUTATIONS = 20_000;
    private static final int ROUNDS = 200;
    private static final long SEED = 20_261_123;
    /// To read a record, its signatures and sealed keys included; the longest field that one can claim has 2 GiB.
    private static final long ALLOCATED_MAX = 4 << 20;

    private final Random random = new Random(SEED);
    private final WrittenLog log = new WrittenLog();
    private final List<Frame> whole = log.whole();
    /// The log of another response, whose records the attacker may use too.
    private final List<Frame> other = new WrittenLog(WrittenLog.OTHER, 2).whole();

    @Test
    void h4AnAnswerUnderWayIsTheSameWhateverIsAppendedBetweenItsFrames() {
        // Given
        var expected = valid(whole.stream().map(MutatedRecordsTest::record).toList());
        assertThat(expected).isEqualTo(whole);
        var mutators = new ArrayList<RecordMutator>();
        for (int at = 0; at < whole.size(); at++) {
            var known = new ArrayList<>(other);
            known.addAll(whole.subList(0, at + 1));
            mutators.add(new RecordMutator(
                    SEED + at, known.stream().map(MutatedRecordsTest::record).toList()));
        }
        for (int round = 0; round < ROUNDS; round++) {
            var records = new ArrayList<ConsumerRecord<String, byte[]>>();
            for (int at = 0; at < whole.size(); at++) {
                records.add(record(whole.get(at)));
                for (int i = 0; i < MUTATIONS / ROUNDS / whole.size() + 1; i++) {
                    records.add(
                            random.nextInt(3) == 0
                                    ? renumbered(at)
                                    : mutators.get(at).next().record());
                }
            }
            // Then
            assertThat(valid(records)).as("round %d", round).isEqualTo(expected);
        }
    }

    @Test
    void h1H2H4AMutatedRecordIsVoidOrSaysWhatARecordedOneSays() {
        // Given
        var bus = new RecordedBus();
        var mutator = new RecordMutator(SEED, bus.records());
        var voids = new TreeMap<String, Integer>();
        var same = new TreeMap<String, Integer>();
        for (int i = 0; i < MUTATIONS; i++) {
            // When
            var mutation = mutator.next();
            long before = allocated();
            boolean says = says(mutation, bus);
            // Then
            assertThat(allocated() - before).as("%s", mutation).isLessThan(ALLOCATED_MAX);
            (says ? same : voids).merge(RecordedBus.kind(mutation.origin()), 1, Integer::sum);
        }
        assertThat(bus.records())
                .allSatisfy(record -> assertThat(bus.holds(bus.read(record))).isTrue());
        System.out.printf("mutations: %d; void %s; the same as recorded %s%n", MUTATIONS, voids, same);
        assertThat(voids.keySet()).isEqualTo(same.keySet());
    }

    /// False when it is void.
    private static boolean says(RecordMutator.Mutation mutation, RecordedBus bus) {
        try {
            var said = bus.read(mutation.record());
            assertThat(bus.holds(said)).as("%s", mutation).isTrue();
            return true;
        } catch (MalformedMessageException | SealException e) {
            return false;
        }
    }

    private static long allocated() {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return threads.getCurrentThreadAllocatedBytes();
    }

    /// The frames that count to a reader of the partition, by what they say.
    private static List<Frame> valid(List<ConsumerRecord<String, byte[]>> records) {
        var first = Frame.decode(records.getFirst());
        var reader = new ResponseLog(Objects.requireNonNull(LogTrust.of(first, TestKeys.of(ServiceRole.GATEWAY))));
        var valid = new ArrayList<Frame>();
        for (var record : records) {
            try {
                var frame = Frame.decode(record);
                // A sign of the holder may be repeated: it says the same again.
                boolean repeated = frame.kind() == FrameKind.PROGRESS || frame.kind() == FrameKind.HANDOVER;
                if (reader.accept(frame) == ResponseLog.Verdict.VALID && !(repeated && valid.contains(frame))) {
                    valid.add(frame);
                }
            } catch (MalformedMessageException e) {
                // Void for every reader.
            }
        }
        return valid;
    }

    /// As the frame that is to come next, of any kind.
    ///
    /// @param last position in the log of the last frame that the attacker has read
    private ConsumerRecord<String, byte[]> renumbered(int last) {
        var frame = random.nextInt(4) == 0 ? any(other, other.size() - 1) : any(whole, last);
        return record(new Frame(
                WrittenLog.RESPONSE,
                1 + random.nextInt(2),
                WrittenLog.NONCE,
                random.nextInt(6),
                Lane.values()[random.nextInt(Lane.values().length)],
                FrameKind.values()[random.nextInt(FrameKind.values().length)],
                frame.message(),
                frame.body(),
                frame.unknown(),
                frame.proof(),
                1 + random.nextInt(Frame.NEWEST_FORMAT)));
    }

    private Frame any(List<Frame> frames, int last) {
        return frames.get(random.nextInt(last + 1));
    }

    private static ConsumerRecord<String, byte[]> record(Frame frame) {
        var record = frame.record();
        return new ConsumerRecord<>(record.topic(), frame.response().partition(), 0, record.key(), record.value());
    }
}
