package dev.counterpoint.engine.llama.gguf;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Collects what belongs into a GGUF file (version 3), then writes it at one go. Tensors are asked for row by row, so
/// none need be in memory whole.
public final class GgufWriter {
    private static final int MAGIC = 0x46554747; // GGUF
    private static final int VERSION = 3;
    private static final int ALIGNMENT = 32;
    private static final int BUFFER_BYTES = 1 << 20;

    private static final int U32 = 4;
    private static final int I32 = 5;
    private static final int F32 = 6;
    private static final int BOOL = 7;
    private static final int TEXT = 8;
    private static final int ARRAY = 9;

    private final Bytes entries = new Bytes();
    private final List<Tensor> tensors = new ArrayList<>();
    private int entryCount;

    /// The numbers of a tensor.
    @FunctionalInterface
    public interface Rows {
        /// Fills in a row, which comes with zeros or with what the last call left there.
        void fill(int row, float[] numbers);
    }

    private record Tensor(String name, TensorType type, int[] shape, Rows rows) {
        int rowCount() {
            int count = 1;
            for (int i = 1; i < shape.length; i++) {
                count = Math.multiplyExact(count, shape[i]);
            }
            return count;
        }

        long bytes() {
            return (long) rowCount() * type.rowBytes(shape[0]);
        }
    }

    public GgufWriter text(String key, String value) {
        entry(key, TEXT).text(value);
        return this;
    }

    public GgufWriter number(String key, int value) {
        entry(key, U32).int32(value);
        return this;
    }

    public GgufWriter real(String key, float value) {
        entry(key, F32).int32(Float.floatToRawIntBits(value));
        return this;
    }

    public GgufWriter truth(String key, boolean value) {
        entry(key, BOOL).write(value ? 1 : 0);
        return this;
    }

    public GgufWriter texts(String key, List<String> values) {
        entry(key, ARRAY).int32(TEXT).int64(values.size());
        values.forEach(entries::text);
        return this;
    }

    public GgufWriter numbers(String key, int[] values) {
        entry(key, ARRAY).int32(I32).int64(values.length);
        for (int value : values) {
            entries.int32(value);
        }
        return this;
    }

    public GgufWriter reals(String key, float[] values) {
        entry(key, ARRAY).int32(F32).int64(values.length);
        for (float value : values) {
            entries.int32(Float.floatToRawIntBits(value));
        }
        return this;
    }

    /// @param shape the length of a row first
    public GgufWriter tensor(String name, TensorType type, int[] shape, Rows rows) {
        tensors.add(new Tensor(name, type, shape.clone(), rows));
        return this;
    }

    private Bytes entry(String key, int type) {
        entryCount++;
        return entries.text(key).int32(type);
    }

    public void write(Path file) throws IOException {
        try (var out = new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES)) {
            var header = header();
            header.writeTo(out);
            pad(out, header.size());
            for (var tensor : tensors) {
                write(tensor, out);
                pad(out, tensor.bytes());
            }
        }
    }

    private Bytes header() {
        var header = new Bytes();
        header.int32(MAGIC).int32(VERSION).int64(tensors.size()).int64(entryCount);
        header.writeBytes(entries.toByteArray());
        long offset = 0;
        for (var tensor : tensors) {
            header.text(tensor.name()).int32(tensor.shape().length);
            for (int length : tensor.shape()) {
                header.int64(length);
            }
            header.int32(tensor.type().code).int64(offset);
            offset += Math.ceilDiv(tensor.bytes(), ALIGNMENT) * ALIGNMENT;
        }
        return header;
    }

    private static void write(Tensor tensor, OutputStream out) throws IOException {
        var numbers = new float[tensor.shape()[0]];
        var row = ByteBuffer.allocate(tensor.type().rowBytes(numbers.length)).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < tensor.rowCount(); i++) {
            tensor.rows().fill(i, numbers);
            row.clear();
            tensor.type().putRow(numbers, row);
            out.write(row.array());
        }
    }

    private static void pad(OutputStream out, long written) throws IOException {
        out.write(new byte[(int) (-written & (ALIGNMENT - 1))]);
    }

    /// Numbers with the lowest byte first, texts with their length before them.
    private static final class Bytes extends ByteArrayOutputStream {
        Bytes int32(int value) {
            for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
                write(value >>> shift);
            }
            return this;
        }

        Bytes int64(long value) {
            return int32((int) value).int32((int) (value >>> Integer.SIZE));
        }

        Bytes text(String text) {
            var bytes = text.getBytes(StandardCharsets.UTF_8);
            int64(bytes.length);
            writeBytes(bytes);
            return this;
        }
    }
}
