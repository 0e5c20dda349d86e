package dev.counterpoint.bus.wire;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Writes the fields of one message in the Protocol Buffers wire format. `bus.proto` lists the fields of every
/// message, and a test proves that the records write what it says. A record writes its fields in `encode` and reads
/// them by the same numbers in `decode`, with a [FieldReader].
///
/// Rules of every message: numbers are never reused; a new field is optional to its reader; defaults are not
/// written. Not thread-safe.
public final class FieldWriter {
    private static final int VARINT_BYTES_MAX = 10;

    private byte[] bytes = new byte[128];
    private int size;

    public FieldWriter number(int field, long value) {
        if (value != 0) {
            tag(field, WireFormat.WIRETYPE_VARINT);
            varint(CodedOutputStream.encodeZigZag64(value));
        }
        return this;
    }

    /// A number whose every bit counts, such as a nonce. It is written even when it is 0.
    public FieldWriter bits(int field, long value) {
        tag(field, WireFormat.WIRETYPE_FIXED64);
        reserve(Long.BYTES);
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            bytes[size++] = (byte) (value >>> shift);
        }
        return this;
    }

    /// A real number. It is written even when it is 0.
    public FieldWriter real(int field, double value) {
        return bits(field, Double.doubleToRawLongBits(value));
    }

    public FieldWriter flag(int field, boolean value) {
        return number(field, value ? 1 : 0);
    }

    /// A count that may be missing, as one more than it is: so 0 is written.
    public FieldWriter count(int field, @Nullable Integer value) {
        return number(field, value == null ? 0 : value + 1L);
    }

    public FieldWriter choice(int field, Numbered value) {
        return number(field, value.number());
    }

    /// A text, even an empty one; nothing for null. Half a surrogate pair, which a client's JSON may hold, becomes
    /// a question mark.
    public FieldWriter text(int field, @Nullable String value) {
        return bytes(field, value == null ? null : value.getBytes(StandardCharsets.UTF_8));
    }

    /// A text unless it is empty.
    public FieldWriter textIfAny(int field, String value) {
        return value.isEmpty() ? this : text(field, value);
    }

    public FieldWriter texts(int field, Iterable<String> values) {
        values.forEach(value -> text(field, value));
        return this;
    }

    /// Bytes, even none at all; nothing for null.
    public FieldWriter bytes(int field, byte @Nullable [] value) {
        return value == null ? this : bytes(field, value, value.length);
    }

    /// Bytes unless there are none.
    public FieldWriter bytesIfAny(int field, byte[] value) {
        return value.length == 0 ? this : bytes(field, value);
    }

    private FieldWriter bytes(int field, byte[] value, int length) {
        tag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
        varint(length);
        append(value, length);
        return this;
    }

    /// Token ids, packed as varints.
    public FieldWriter ids(int field, int[] values) {
        if (values.length == 0) {
            return this;
        }
        var packed = new FieldWriter();
        for (int value : values) {
            packed.varint(Integer.toUnsignedLong(value));
        }
        return bytes(field, packed.bytes, packed.size);
    }

    /// A nested message; nothing for null.
    ///
    /// @param fields writes the fields of `value`
    public <T> FieldWriter message(int field, @Nullable T value, BiConsumer<FieldWriter, T> fields) {
        if (value == null) {
            return this;
        }
        var inner = new FieldWriter();
        fields.accept(inner, value);
        return bytes(field, inner.bytes, inner.size);
    }

    public <T> FieldWriter messages(int field, Iterable<T> values, BiConsumer<FieldWriter, T> fields) {
        values.forEach(value -> message(field, value, fields));
        return this;
    }

    /// Fields that are written already.
    public FieldWriter encoded(byte[] fields) {
        append(fields, fields.length);
        return this;
    }

    /// Fields that a newer writer added, kept as they came.
    public FieldWriter unknown(UnknownFields fields) {
        if (fields != UnknownFields.NONE) {
            var kept = fields.set().toByteArray();
            append(kept, kept.length);
        }
        return this;
    }

    public byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }

    private void tag(int field, int wireType) {
        varint((long) field << 3 | wireType);
    }

    private void varint(long value) {
        reserve(VARINT_BYTES_MAX);
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    private void append(byte[] value, int length) {
        reserve(length);
        System.arraycopy(value, 0, bytes, size, length);
        size += length;
    }

    private void reserve(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
        }
    }
}
