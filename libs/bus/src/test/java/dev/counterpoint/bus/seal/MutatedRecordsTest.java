package dev.counterpoint.bus.seal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.frame.ResponseLog;
import dev.counterpoint.bus.job.StopCommand;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/// An attacker appends what it can make of records that it has read: bits flipped, cut, spliced, repeated, moved.
/// Seeded.
class MutatedRecordsTest {
    private static final int MUTATIONS = 20_000;
    private static final int ROUNDS = 200;

    private final Random random = new Random(20_261_123);
    private final WrittenLog log = new WrittenLog();
    private final List<Frame> whole = log.whole();
    /// The log of another response, whose records the attacker may use too.
    private final List<Frame> other = new WrittenLog(WrittenLog.OTHER).whole();

    @Test
    void h4AnAnswerUnderWayIsTheSameWhateverIsAppendedBetweenItsFrames() {
        // Given
        var expected = valid(whole.stream().map(MutatedRecordsTest::record).toList());
        assertThat(expected).isEqualTo(whole);
        for (int round = 0; round < ROUNDS; round++) {
            var records = new ArrayList<ConsumerRecord<String, byte[]>>();
            for (int at = 0; at < whole.size(); at++) {
                records.add(record(whole.get(at)));
                for (int i = 0; i < MUTATIONS / ROUNDS / whole.size() + 1; i++) {
                    records.add(mutated(at));
                }
            }
            // Then
            assertThat(valid(records)).as("round %d", round).isEqualTo(expected);
        }
    }

    @Test
    void h4AMutatedSignedRecordIsRefusedOrWhatItWas() {
        var command = new StopCommand(WrittenLog.RESPONSE, 2).encode();
        var signed =
                TestKeys.of(ServiceRole.GATEWAY).signatures().sign(SignedRecord.STOP_COMMAND, Topic.CONTROL, command);
        for (int i = 0; i < MUTATIONS / 10; i++) {
            var mutated =
                    mutated(signed, whole.get(random.nextInt(whole.size())).encode());
            try {
                var content = TestKeys.of(ServiceRole.WORKER)
                        .signatures()
                        .verified(SignedRecord.STOP_COMMAND, Topic.CONTROL, mutated);
                assertThat(content).isEqualTo(command);
            } catch (SealException e) {
                assertThat(mutated).isNotEqualTo(signed);
            }
        }
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

    /// @param last position in the log of the last frame that the attacker has read
    private ConsumerRecord<String, byte[]> mutated(int last) {
        var frame = random.nextInt(4) == 0 ? any(other, other.size() - 1) : any(whole, last);
        var bytes = switch (random.nextInt(6)) {
            case 0 -> frame.encode();
            case 1 -> renamed(frame).encode();
            case 2 -> renumbered(frame).encode();
            default -> mutated(frame.encode(), any(whole, last).encode());
        };
        var response = random.nextInt(8) == 0 ? WrittenLog.OTHER : WrittenLog.RESPONSE;
        int partition = random.nextInt(8) == 0 ? 4 : 3;
        return new ConsumerRecord<>(Topic.FRAMES, partition, 0, response.toString(), bytes);
    }

    private Frame any(List<Frame> frames, int last) {
        return frames.get(random.nextInt(last + 1));
    }

    /// Under the name of the response that is attacked.
    private static Frame renamed(Frame frame) {
        return new Frame(
                WrittenLog.RESPONSE,
                frame.attempt(),
                frame.nonce(),
                frame.seq(),
                frame.lane(),
                frame.kind(),
                frame.message(),
                frame.body(),
                frame.unknown(),
                frame.proof());
    }

    /// As the frame that is to come next, of any kind.
    private Frame renumbered(Frame frame) {
        return new Frame(
                WrittenLog.RESPONSE,
                1 + random.nextInt(2),
                WrittenLog.NONCE,
                random.nextInt(6),
                Lane.values()[random.nextInt(Lane.values().length)],
                FrameKind.values()[random.nextInt(FrameKind.values().length)],
                frame.message(),
                frame.body(),
                frame.unknown(),
                frame.proof());
    }

    private byte[] mutated(byte[] bytes, byte[] another) {
        var mutated = bytes.clone();
        return switch (random.nextInt(4)) {
            case 0 -> Arrays.copyOf(mutated, random.nextInt(mutated.length));
            case 1 -> spliced(mutated, another);
            default -> {
                for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                    mutated[random.nextInt(mutated.length)] ^= (byte) (1 << random.nextInt(8));
                }
                yield mutated;
            }
        };
    }

    private byte[] spliced(byte[] head, byte[] tail) {
        int cut = random.nextInt(head.length);
        int from = random.nextInt(tail.length);
        var spliced = Arrays.copyOf(head, cut + tail.length - from);
        System.arraycopy(tail, from, spliced, cut, tail.length - from);
        return spliced;
    }

    private static ConsumerRecord<String, byte[]> record(Frame frame) {
        var response = frame.response();
        return new ConsumerRecord<>(Topic.FRAMES, response.partition(), 0, response.toString(), frame.encode());
    }
}
