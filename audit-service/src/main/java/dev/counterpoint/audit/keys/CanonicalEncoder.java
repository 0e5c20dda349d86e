package dev.counterpoint.audit.keys;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Encodes a list of values so that no two lists have the same bytes: each value follows its type and its length.
/// Ciphertexts and tokens of this service are bound to such bytes. Not thread-safe.
public final class CanonicalEncoder {
    private static final byte ABSENT = 0;
    private static final byte TEXT = 1;
    private static final byte BYTES = 2;
    private static final byte NUMBER = 3;
    private static final byte TIME = 4;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream(256);

    /// @param purpose the use of the bytes, so that bytes of one use never pass for bytes of another
    public CanonicalEncoder(String purpose) {
        text(purpose);
    }

    public CanonicalEncoder text(@Nullable String value) {
        return value == null ? put(ABSENT, new byte[0]) : put(TEXT, value.getBytes(StandardCharsets.UTF_8));
    }

    public CanonicalEncoder bytes(byte[] value) {
        return put(BYTES, value);
    }

    public CanonicalEncoder number(long value) {
        return put(NUMBER, ByteBuffer.allocate(8).putLong(value).array());
    }

    public CanonicalEncoder flag(boolean value) {
        return number(value ? 1 : 0);
    }

    /// To the nanosecond, so that the smallest change of a column shows.
    public CanonicalEncoder time(Instant value) {
        var parts = ByteBuffer.allocate(12).putLong(value.getEpochSecond()).putInt(value.getNano());
        return put(TIME, parts.array());
    }

    public byte[] toBytes() {
        return out.toByteArray();
    }

    private CanonicalEncoder put(byte type, byte[] value) {
        out.write(type);
        out.writeBytes(ByteBuffer.allocate(4).putInt(value.length).array());
        out.writeBytes(value);
        return this;
    }
}
