package dev.counterpoint.bus.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Parser;
import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.WireFormat;
import dev.counterpoint.bus.ResponseId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The rules of every message that generated code does not know: what is malformed, and which value a number means.
public final class Wire {
    private static final int VERSION_TAG = 1 << 3 | WireFormat.WIRETYPE_VARINT;

    private Wire() {}

    /// Reads a message. Its bytes are not copied, so `bytes` must not change while the message is in use.
    public static <M> M parse(Parser<M> parser, byte[] bytes) {
        var in = UnsafeByteOperations.unsafeWrap(bytes).newCodedInput();
        in.enableAliasing(true);
        try {
            var message = parser.parseFrom(in);
            in.checkLastTagWas(0);
            return message;
        } catch (IOException e) {
            throw invalid(e);
        }
    }

    private static MalformedMessageException invalid(IOException cause) {
        return new MalformedMessageException("not a valid message: " + cause.getMessage());
    }

    /// Reads a message of a major version, which is its first field.
    public static <M> M parse(Parser<M> parser, byte[] bytes, int known) {
        version(bytes, known, known);
        return parse(parser, bytes);
    }

    /// The major version of a message.
    ///
    /// @throws MalformedMessageException for one that is older than the oldest or newer than the newest
    public static int version(byte[] bytes, int oldest, int newest) {
        long version = version(bytes);
        if (version == 0) {
            throw new MalformedMessageException("a message without a version");
        }
        if (version < oldest || version > newest) {
            throw new MalformedMessageException("a message of version " + version + "; this reader knows version "
                    + (oldest == newest ? newest + " only" : oldest + " to " + newest));
        }
        return (int) version;
    }

    private static long version(byte[] bytes) {
        var in = CodedInputStream.newInstance(bytes);
        try {
            return in.readTag() == VERSION_TAG ? in.readSInt64() : 0;
        } catch (IOException e) {
            throw invalid(e);
        }
    }

    /// Bytes to write. They are not copied.
    public static ByteString bytes(byte[] value) {
        return UnsafeByteOperations.unsafeWrap(value);
    }

    /// A text to write. Half a surrogate pair, which a client's JSON may hold, becomes a question mark.
    public static ByteString text(String value) {
        return bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    public static int flag(boolean value) {
        return value ? 1 : 0;
    }

    /// A number that counts from 1, which is not written where it is 1.
    public static long unlessFirst(int number) {
        return number == 1 ? 0 : number;
    }

    /// The number of an optional count, which is one more than the count; 0 for null.
    public static long count(@Nullable Integer value) {
        return value == null ? 0 : value + 1L;
    }

    /// The count that [#count] wrote.
    public static @Nullable Integer countOf(long number) {
        if (number < 0 || number > Integer.MAX_VALUE + 1L) {
            throw new MalformedMessageException("a count is out of range");
        }
        return number == 0 ? null : Integer.valueOf((int) (number - 1));
    }

    /// A number that fits an `int`.
    public static int small(long number) {
        if (number != (int) number) {
            throw new MalformedMessageException("a number is out of range");
        }
        return (int) number;
    }

    /// The constant with this number.
    ///
    /// @throws MalformedMessageException for a number that only newer versions know
    public static <E extends Numbered> E constant(long number, E[] known) {
        var constant = find(number, known);
        if (constant == null) {
            throw new MalformedMessageException("an unknown constant has the number " + number);
        }
        return constant;
    }

    /// @param otherwise the constant for a number that only newer versions know
    public static <E extends Numbered> E constant(long number, E[] known, E otherwise) {
        var constant = find(number, known);
        return constant == null ? otherwise : constant;
    }

    private static <E extends Numbered> @Nullable E find(long number, E[] known) {
        for (var constant : known) {
            if (constant.number() == number) {
                return constant;
            }
        }
        return null;
    }

    /// @throws MalformedMessageException for a text that is no id of a response
    public static ResponseId response(String text) {
        return ResponseId.parse(text).orElseThrow(() -> new MalformedMessageException("a text is no id of a response"));
    }
}
