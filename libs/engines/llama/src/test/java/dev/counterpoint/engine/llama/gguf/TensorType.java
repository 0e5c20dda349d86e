package dev.counterpoint.engine.llama.gguf;

import java.nio.ByteBuffer;

/// The format in which the numbers of a tensor are stored.
public enum TensorType {
    F32(0, 1, Float.BYTES) {
        @Override
        void put(float[] block, int from, ByteBuffer out) {
            out.putFloat(block[from]);
        }
    },
    F16(1, 1, Short.BYTES) {
        @Override
        void put(float[] block, int from, ByteBuffer out) {
            out.putShort(Float.floatToFloat16(block[from]));
        }
    },
    /// 32 bytes that share a scale, rounded as ggml does.
    Q8_0(8, 32, 34) {
        @Override
        void put(float[] block, int from, ByteBuffer out) {
            float largest = 0;
            for (int i = 0; i < elements; i++) {
                largest = Math.max(largest, Math.abs(block[from + i]));
            }
            float scale = largest / Byte.MAX_VALUE;
            float inverse = scale == 0 ? 0 : 1 / scale;
            out.putShort(Float.floatToFloat16(scale));
            for (int i = 0; i < elements; i++) {
                float scaled = block[from + i] * inverse;
                out.put((byte) (scaled < 0 ? -Math.round(-scaled) : Math.round(scaled))); // halves away from 0
            }
        }
    };

    final int code;
    final int elements;
    final int bytes;

    TensorType(int code, int elements, int bytes) {
        this.code = code;
        this.elements = elements;
        this.bytes = bytes;
    }

    /// Writes one block.
    abstract void put(float[] block, int from, ByteBuffer out);

    /// Bytes of a row of so many numbers.
    ///
    /// @throws IllegalArgumentException when the row is not a whole number of blocks
    int rowBytes(int numbers) {
        if (numbers % elements != 0) {
            throw new IllegalArgumentException("a row of " + numbers + " numbers cannot be " + this);
        }
        return numbers / elements * bytes;
    }

    void putRow(float[] row, ByteBuffer out) {
        for (int from = 0; from < row.length; from += elements) {
            put(row, from, out);
        }
    }
}
