package dev.counterpoint.bus.testkit;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.wire.ProvenMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/// Mutates recorded records as an attacker without a key could: bits flipped, cuts, splices, fields of other
/// records, other places. The same seed gives the same mutations. Not thread-safe.
public final class RecordMutator {
    private static final byte[] NOTHING = new byte[0];
    /// The longest length that a field can claim.
    private static final byte[] ENORMOUS = {-1, -1, -1, -1, 7};

    private final Random random;
    private final List<ConsumerRecord<String, byte[]>> recorded;

    /// @param recorded what to begin with, of as many kinds as there are
    public RecordMutator(long seed, List<ConsumerRecord<String, byte[]>> recorded) {
        random = new Random(seed);
        this.recorded = List.copyOf(recorded);
    }

    /// The ways in which a record is altered.
    public enum Way {
        BITS_FLIPPED,
        CUT,
        SPLICED,
        FIELD_OF_ANOTHER,
        FIELD_LEFT_OUT,
        FIELDS_MOVED,
        FIELD_TWICE,
        FIELD_ENORMOUS,
        PROOF_OF_ANOTHER,
        AT_ANOTHER_PLACE,
        ON_ANOTHER_TOPIC,
        HEADERS,
        WITHOUT_A_VALUE,
        AGAIN
    }

    /// An altered record.
    ///
    /// @param origin of which it was made
    public record Mutation(Way way, ConsumerRecord<String, byte[]> origin, ConsumerRecord<String, byte[]> record) {}

    /// The next one.
    public Mutation next() {
        return next(any());
    }

    /// The next one that is made of `origin`.
    public Mutation next(ConsumerRecord<String, byte[]> origin) {
        var way = Way.values()[random.nextInt(Way.values().length)];
        return new Mutation(
                way,
                origin,
                switch (way) {
                    case BITS_FLIPPED -> with(origin, flipped(KafkaClients.body(origin)));
                    case CUT -> with(origin, cut(KafkaClients.body(origin)));
                    case SPLICED -> with(origin, spliced(KafkaClients.body(origin), KafkaClients.body(any())));
                    case FIELD_OF_ANOTHER,
                            FIELD_LEFT_OUT,
                            FIELDS_MOVED,
                            FIELD_TWICE,
                            FIELD_ENORMOUS,
                            PROOF_OF_ANOTHER -> with(origin, refielded(way, fields(KafkaClients.body(origin))));
                    case AT_ANOTHER_PLACE -> elsewhere(origin);
                    case ON_ANOTHER_TOPIC -> onAnotherTopic(origin, any());
                    case HEADERS -> withHeaders(origin);
                    case WITHOUT_A_VALUE -> with(origin, null);
                    case AGAIN -> origin;
                });
    }

    private ConsumerRecord<String, byte[]> any() {
        return recorded.get(random.nextInt(recorded.size()));
    }

    private byte[] flipped(byte[] bytes) {
        var flipped = bytes.clone();
        for (int flips = bytes.length == 0 ? 0 : 1 + random.nextInt(3); flips > 0; flips--) {
            flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return flipped;
    }

    private byte[] cut(byte[] bytes) {
        return Arrays.copyOf(bytes, bytes.length == 0 ? 0 : random.nextInt(bytes.length));
    }

    private byte[] spliced(byte[] head, byte[] tail) {
        int end = random.nextInt(head.length + 1);
        int from = random.nextInt(tail.length + 1);
        return joined(List.of(Arrays.copyOf(head, end), Arrays.copyOfRange(tail, from, tail.length)));
    }

    /// The fields of a message, each with its tag; the rest of it, where it is none, as one.
    private static List<byte[]> fields(byte[] message) {
        var fields = new ArrayList<byte[]>();
        int begins = 0;
        try {
            var in = CodedInputStream.newInstance(message);
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                in.skipField(tag);
                int ends = in.getTotalBytesRead();
                fields.add(Arrays.copyOfRange(message, begins, ends));
                begins = ends;
            }
        } catch (IOException e) {
            fields.add(Arrays.copyOfRange(message, begins, message.length));
        }
        return fields;
    }

    private byte[] refielded(Way way, List<byte[]> fields) {
        int at = fields.isEmpty() ? 0 : random.nextInt(fields.size());
        var others = fields(KafkaClients.body(any()));
        boolean none = fields.isEmpty() || others.isEmpty();
        switch (none ? Way.AGAIN : way) {
            case FIELD_OF_ANOTHER -> fields.set(at, others.get(random.nextInt(others.size())));
            case FIELD_LEFT_OUT -> fields.remove(at);
            case FIELDS_MOVED -> Collections.shuffle(fields, random);
            case FIELD_TWICE -> fields.add(random.nextInt(fields.size()), fields.get(at));
            case FIELD_ENORMOUS -> fields.set(at, enormous(fields.get(at)));
            case PROOF_OF_ANOTHER -> {
                fields.removeIf(RecordMutator::isProof);
                others.stream().filter(RecordMutator::isProof).forEach(fields::add);
            }
            case BITS_FLIPPED, CUT, SPLICED, AT_ANOTHER_PLACE, ON_ANOTHER_TOPIC, HEADERS, WITHOUT_A_VALUE, AGAIN -> {}
        }
        return joined(fields);
    }

    /// Claims a length that no record has.
    private static byte[] enormous(byte[] field) {
        return joined(List.of(Arrays.copyOf(field, 1), ENORMOUS, Arrays.copyOfRange(field, 1, field.length)));
    }

    private static boolean isProof(byte[] field) {
        try {
            return WireFormat.getTagFieldNumber(
                            CodedInputStream.newInstance(field).readTag())
                    == ProvenMessage.PROOF;
        } catch (IOException e) {
            return false;
        }
    }

    private static byte[] joined(List<byte[]> parts) {
        var joined = new ByteArrayOutputStream();
        parts.forEach(joined::writeBytes);
        return joined.toByteArray();
    }

    private static ConsumerRecord<String, byte[]> with(ConsumerRecord<String, byte[]> origin, byte @Nullable [] value) {
        return made(origin, value, origin.headers());
    }

    /// Under the key of another one of the same topic, and mostly in its partition.
    private ConsumerRecord<String, byte[]> elsewhere(ConsumerRecord<String, byte[]> origin) {
        var there = recorded.stream()
                .filter(record -> record.topic().equals(origin.topic()))
                .toList();
        var other = there.get(random.nextInt(there.size()));
        int partition = random.nextInt(4) > 0 ? other.partition() : origin.partition();
        return new ConsumerRecord<>(origin.topic(), partition, origin.offset(), other.key(), origin.value());
    }

    private static ConsumerRecord<String, byte[]> onAnotherTopic(
            ConsumerRecord<String, byte[]> origin, ConsumerRecord<String, byte[]> other) {
        return new ConsumerRecord<>(
                other.topic(), other.partition(), other.offset(), origin.key(), KafkaClients.body(origin));
    }

    /// Without headers, with more of them, or with each of them twice.
    private ConsumerRecord<String, byte[]> withHeaders(ConsumerRecord<String, byte[]> origin) {
        var headers = new RecordHeaders(random.nextBoolean() ? origin.headers() : new RecordHeaders());
        if (random.nextBoolean()) {
            List.of(headers.toArray()).forEach(headers::add);
        }
        headers.add("more", NOTHING);
        return made(origin, origin.value(), headers);
    }

    private static ConsumerRecord<String, byte[]> made(
            ConsumerRecord<String, byte[]> origin, byte @Nullable [] value, Headers headers) {
        return new ConsumerRecord<>(
                origin.topic(),
                origin.partition(),
                origin.offset(),
                origin.timestamp(),
                TimestampType.CREATE_TIME,
                ConsumerRecord.NULL_SIZE,
                ConsumerRecord.NULL_SIZE,
                origin.key(),
                value,
                headers,
                Optional.empty());
    }
}
