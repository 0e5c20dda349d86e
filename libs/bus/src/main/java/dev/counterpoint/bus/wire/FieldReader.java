package dev.counterpoint.bus.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.WireFormat;
import dev.counterpoint.bus.ResponseId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// Reads the fields of one message that a [FieldWriter] wrote, by their numbers. Where a field stands twice that does
/// not repeat, the last one counts. A field of another type than its reader asks for is malformed: no version of ours
/// wrote it.
public final class FieldReader {
    /// The number of the major version, in messages that have one.
    private static final int VERSION_FIELD = 1;

    /// The number of the signature or tag in messages that have one; their last field.
    public static final int PROOF = 15;

    private static final int NO_VERSION = 0;
    /// The highest number of a field in `bus.proto`. Up to here a tag takes one byte.
    private static final int FIELDS_MAX = 15;

    private static final char REPLACEMENT = '\uFFFD';

    private final byte[] message;
    private final int start;
    private final int end;
    /// The tag of each field that the message has, by its number.
    private final byte[] tags = new byte[FIELDS_MAX + 1];
    /// The value of each field that the message has: a number, or its place as [#place] makes it.
    private final long[] values = new long[FIELDS_MAX + 1];

    private int first;
    private int highest;

    public FieldReader(byte[] message) {
        this(message, place(0, message.length), NO_VERSION);
    }

    /// A message that says its major version.
    ///
    /// @throws MalformedMessageException when it is not `version`: what follows may mean anything
    public FieldReader(byte[] message, int version) {
        this(message, place(0, message.length), version);
        if (!has(VERSION_FIELD)) {
            throw new MalformedMessageException("a message without a version");
        }
    }

    private FieldReader(byte[] message, long place, int version) {
        this.message = message;
        start = from(place);
        end = start + length(place);
        walk((tag, in) -> take(tag, value(tag, in), version));
    }

    private void take(int tag, long value, int version) {
        int field = WireFormat.getTagFieldNumber(tag);
        first = first == 0 ? field : first;
        highest = field == PROOF ? highest : Math.max(highest, field);
        if (field <= FIELDS_MAX) {
            if (has(field)) {
                expect(WireFormat.getTagWireType(tags[field]), tag);
            }
            tags[field] = (byte) tag;
            values[field] = value;
        }
        if (field == VERSION_FIELD && version != NO_VERSION) {
            expectVersion(version);
        }
    }

    private interface Step {
        void take(int tag, CodedInputStream in) throws IOException;
    }

    private void walk(Step step) {
        var in = CodedInputStream.newInstance(message, start, end - start);
        try {
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                step.take(tag, in);
            }
        } catch (IOException e) {
            throw invalid(e.getMessage());
        }
    }

    private long value(int tag, CodedInputStream in) throws IOException {
        return switch (WireFormat.getTagWireType(tag)) {
            case WireFormat.WIRETYPE_VARINT -> in.readRawVarint64();
            case WireFormat.WIRETYPE_FIXED64 -> in.readRawLittleEndian64();
            case WireFormat.WIRETYPE_LENGTH_DELIMITED -> {
                int length = in.readRawVarint32();
                long place = place(start + in.getTotalBytesRead(), length);
                in.skipRawBytes(length);
                yield place;
            }
            default -> {
                if (!in.skipField(tag)) {
                    throw invalid("the end of a group that never began");
                }
                yield 0;
            }
        };
    }

    private static long place(int from, int length) {
        return (long) from << Integer.SIZE | length;
    }

    private static int from(long place) {
        return (int) (place >>> Integer.SIZE);
    }

    private static int length(long place) {
        return (int) place;
    }

    private void expectVersion(int known) {
        int version = small(VERSION_FIELD);
        if (version != known) {
            throw new MalformedMessageException(
                    "a message of version " + version + "; this reader knows version " + known + " only");
        }
    }

    /// The number of the field that the message begins with; 0 for an empty message.
    public int first() {
        return first;
    }

    public boolean has(int field) {
        return tags[field] != 0;
    }

    private boolean has(int field, int wireType) {
        if (has(field)) {
            expect(wireType, tags[field]);
        }
        return has(field);
    }

    private static void expect(int wireType, int tag) {
        if (WireFormat.getTagWireType(tag) != wireType) {
            throw new MalformedMessageException(
                    "field " + WireFormat.getTagFieldNumber(tag) + " has another type than expected");
        }
    }

    /// A number; 0 when the message does not have it.
    public long number(int field) {
        return has(field, WireFormat.WIRETYPE_VARINT) ? CodedInputStream.decodeZigZag64(values[field]) : 0;
    }

    /// A number that fits an `int`.
    public int small(int field) {
        long value = number(field);
        if (value != (int) value) {
            throw new MalformedMessageException("field " + field + " is out of range");
        }
        return (int) value;
    }

    public long bits(int field) {
        return has(field, WireFormat.WIRETYPE_FIXED64) ? values[field] : 0;
    }

    public double real(int field, double otherwise) {
        return has(field, WireFormat.WIRETYPE_FIXED64) ? Double.longBitsToDouble(values[field]) : otherwise;
    }

    public boolean flag(int field) {
        return number(field) != 0;
    }

    /// A count, or null when the message does not have it.
    public @Nullable Integer count(int field) {
        if (!has(field)) {
            return null;
        }
        long count = number(field) - 1;
        if (count < 0 || count > Integer.MAX_VALUE) {
            throw new MalformedMessageException("field " + field + " is no count");
        }
        return (int) count;
    }

    /// The constant with the number that the message has.
    ///
    /// @param otherwise for a number that only newer versions know; null when that is malformed
    public <E extends Numbered> E choice(int field, E[] known, @Nullable E otherwise) {
        int number = small(field);
        for (var constant : known) {
            if (constant.number() == number) {
                return constant;
            }
        }
        if (otherwise == null) {
            throw new MalformedMessageException("field " + field + " has the unknown number " + number);
        }
        return otherwise;
    }

    /// A text; empty when the message does not have it.
    public String text(int field) {
        return text(field, "");
    }

    public String text(int field, String otherwise) {
        return has(field, WireFormat.WIRETYPE_LENGTH_DELIMITED) ? textAt(values[field]) : otherwise;
    }

    public @Nullable String textOrNull(int field) {
        return has(field) ? text(field) : null;
    }

    public List<String> texts(int field) {
        return all(field, this::textAt);
    }

    private String textAt(long place) {
        var text = new String(message, from(place), length(place), StandardCharsets.UTF_8);
        // A replacement stands in the text itself, or for bytes that are no UTF-8.
        if (text.indexOf(REPLACEMENT) >= 0
                && !ByteString.copyFrom(message, from(place), length(place)).isValidUtf8()) {
            throw invalid("a text is not UTF-8");
        }
        return text;
    }

    /// The id of a response.
    ///
    /// @throws MalformedMessageException when the message has none
    public ResponseId response(int field) {
        return ResponseId.parse(text(field))
                .orElseThrow(() -> new MalformedMessageException("field " + field + " is no id of a response"));
    }

    /// Bytes; none when the message does not have them.
    public byte[] bytes(int field) {
        return has(field, WireFormat.WIRETYPE_LENGTH_DELIMITED) ? bytesAt(values[field]) : new byte[0];
    }

    public List<byte[]> manyBytes(int field) {
        return all(field, this::bytesAt);
    }

    private byte[] bytesAt(long place) {
        return Arrays.copyOfRange(message, from(place), from(place) + length(place));
    }

    /// Token ids; none when the message does not have them.
    public int[] ids(int field) {
        if (!has(field, WireFormat.WIRETYPE_LENGTH_DELIMITED)) {
            return new int[0];
        }
        long place = values[field];
        var packed = CodedInputStream.newInstance(message, from(place), length(place));
        var ids = new int[length(place)];
        int count = 0;
        try {
            while (!packed.isAtEnd()) {
                ids[count++] = packed.readRawVarint32();
            }
        } catch (IOException e) {
            throw new MalformedMessageException("field " + field + " ends within an id");
        }
        return Arrays.copyOf(ids, count);
    }

    /// A nested message, or null when the message does not have it.
    public <T> @Nullable T message(int field, Function<FieldReader, T> decoder) {
        return has(field, WireFormat.WIRETYPE_LENGTH_DELIMITED) ? messageAt(values[field], decoder) : null;
    }

    public <T> List<T> messages(int field, Function<FieldReader, T> decoder) {
        return all(field, place -> messageAt(place, decoder));
    }

    private <T> T messageAt(long place, Function<FieldReader, T> decoder) {
        return decoder.apply(new FieldReader(message, place, NO_VERSION));
    }

    private <T> List<T> all(int field, LongFunction<T> at) {
        if (!has(field)) {
            return List.of();
        }
        var found = new ArrayList<T>();
        walk((tag, in) -> {
            long value = value(tag, in);
            if (WireFormat.getTagFieldNumber(tag) == field) {
                expect(WireFormat.WIRETYPE_LENGTH_DELIMITED, tag);
                found.add(at.apply(value));
            }
        });
        return found;
    }

    /// The fields with higher numbers than this version knows, for a message that is written again. The proof is none
    /// of them: whoever writes the message again proves it anew.
    public UnknownFields unknown(int known) {
        if (highest <= known) {
            return UnknownFields.NONE;
        }
        var unknown = UnknownFieldSet.newBuilder();
        walk((tag, in) -> {
            int field = WireFormat.getTagFieldNumber(tag);
            if (field > known && field != PROOF) {
                unknown.mergeFieldFrom(tag, in);
            } else {
                in.skipField(tag);
            }
        });
        return new UnknownFields(unknown.build());
    }

    private static MalformedMessageException invalid(@Nullable String why) {
        return new MalformedMessageException("not a valid message: " + why);
    }
}
