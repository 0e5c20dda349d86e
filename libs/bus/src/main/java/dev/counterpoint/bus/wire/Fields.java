package dev.counterpoint.bus.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The fields of one message in the Protocol Buffers wire format, written and read without generated code: each
/// record states its own field numbers, once, in `encode` and `decode`.
///
/// Rules of every message: numbers are never reused; a new field is optional to its reader; defaults are not written.
public final class Fields {
    private Fields() {}

    /// Collects the fields of one message. Not thread-safe.
    public static final class Writer {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
        private final CodedOutputStream out = CodedOutputStream.newInstance(bytes, 512);

        public Writer number(int field, long value) {
            if (value != 0) {
                write(() -> out.writeSInt64(field, value));
            }
            return this;
        }

        /// A number whose every bit counts, such as a nonce.
        public Writer bits(int field, long value) {
            write(() -> out.writeFixed64(field, value));
            return this;
        }

        public Writer real(int field, double value) {
            write(() -> out.writeDouble(field, value));
            return this;
        }

        public Writer flag(int field, boolean value) {
            return number(field, value ? 1 : 0);
        }

        /// Half a surrogate pair, which a client's JSON may hold, becomes a question mark. (`writeString` would log it
        /// too.)
        public Writer text(int field, @Nullable String value) {
            return bytes(field, value == null ? null : value.getBytes(StandardCharsets.UTF_8));
        }

        public Writer texts(int field, Iterable<String> values) {
            values.forEach(value -> text(field, value));
            return this;
        }

        public Writer bytes(int field, byte @Nullable [] value) {
            if (value != null) {
                write(() -> out.writeByteArray(field, value));
            }
            return this;
        }

        /// Token ids, packed as varints.
        public Writer ids(int field, int[] values) {
            if (values.length > 0) {
                var packed = new ByteArrayOutputStream(values.length * 3);
                var inner = CodedOutputStream.newInstance(packed);
                write(() -> {
                    for (int value : values) {
                        inner.writeUInt32NoTag(value);
                    }
                    inner.flush();
                    out.writeByteArray(field, packed.toByteArray());
                });
            }
            return this;
        }

        /// A nested message.
        public Writer message(int field, Consumer<Writer> fields) {
            var inner = new Writer();
            fields.accept(inner);
            return bytes(field, inner.toBytes());
        }

        /// Fields that a newer writer added, kept as they came.
        public Writer unknown(Unknown fields) {
            write(() -> fields.set().writeTo(out));
            return this;
        }

        public byte[] toBytes() {
            write(out::flush);
            return bytes.toByteArray();
        }

        private static void write(Step step) {
            try {
                step.run();
            } catch (IOException e) {
                throw new UncheckedIOException("writing to memory failed", e);
            }
        }

        private interface Step {
            void run() throws IOException;
        }
    }

    /// Walks over the fields of one message. Not thread-safe.
    public static final class Reader {
        private final CodedInputStream in;
        private final UnknownFieldSet.Builder unknown = UnknownFieldSet.newBuilder();
        private int tag;

        public Reader(byte[] message) {
            in = CodedInputStream.newInstance(message);
        }

        /// The number of the next field, 0 at the end.
        public int next() {
            return read(() -> {
                tag = in.readTag();
                return WireFormat.getTagFieldNumber(tag);
            });
        }

        public long number() {
            expect(WireFormat.WIRETYPE_VARINT);
            return read(in::readSInt64);
        }

        public int small() {
            long value = number();
            if (value != (int) value) {
                throw new MalformedMessageException("field " + field() + " is out of range");
            }
            return (int) value;
        }

        /// The major version of a message, refused at once when it is not `known`: what follows may mean anything.
        public int version(int known) {
            int version = small();
            if (version != known) {
                throw new MalformedMessageException(
                        "a message of version " + version + "; this reader knows version " + known + " only");
            }
            return version;
        }

        public long bits() {
            expect(WireFormat.WIRETYPE_FIXED64);
            return read(in::readFixed64);
        }

        public double real() {
            expect(WireFormat.WIRETYPE_FIXED64);
            return read(in::readDouble);
        }

        public boolean flag() {
            return number() != 0;
        }

        public String text() {
            expect(WireFormat.WIRETYPE_LENGTH_DELIMITED);
            return read(in::readStringRequireUtf8);
        }

        public byte[] bytes() {
            expect(WireFormat.WIRETYPE_LENGTH_DELIMITED);
            return read(in::readByteArray);
        }

        public int[] ids() {
            expect(WireFormat.WIRETYPE_LENGTH_DELIMITED);
            return read(() -> {
                var packed = in.readBytes();
                var inner = packed.newCodedInput();
                var values = new int[varints(packed)];
                for (int i = 0; i < values.length; i++) {
                    values[i] = inner.readUInt32();
                }
                if (!inner.isAtEnd()) {
                    throw new MalformedMessageException("field " + field() + " ends within an id");
                }
                return values;
            });
        }

        private static int varints(ByteString packed) {
            int count = 0;
            for (int i = 0; i < packed.size(); i++) {
                count += packed.byteAt(i) >= 0 ? 1 : 0;
            }
            return count;
        }

        /// Keeps a field that this version does not know.
        public void skip() {
            read(() -> unknown.mergeFieldFrom(tag, in));
        }

        /// What [#skip] kept.
        public Unknown unknown() {
            var set = unknown.build();
            return set.getSerializedSize() == 0 ? Unknown.NONE : new Unknown(set);
        }

        private int field() {
            return WireFormat.getTagFieldNumber(tag);
        }

        /// A field of another type than ours was written by no version of ours: reading on would make up values.
        private void expect(int wireType) {
            if (WireFormat.getTagWireType(tag) != wireType) {
                throw new MalformedMessageException("field " + field() + " has another type than expected");
            }
        }

        private static <T> T read(Step<T> step) {
            try {
                return step.run();
            } catch (InvalidProtocolBufferException e) {
                throw new MalformedMessageException("not a valid message: " + e.getMessage());
            } catch (IOException e) {
                throw new UncheckedIOException("reading from memory failed", e);
            }
        }

        private interface Step<T> {
            T run() throws IOException;
        }
    }
}
