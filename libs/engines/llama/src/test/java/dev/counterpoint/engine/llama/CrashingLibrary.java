package dev.counterpoint.engine.llama;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/// A shared library for x86-64 Linux that ends the process which loads it, by an instruction that no processor has.
final class CrashingLibrary {
    private static final int HEADER = 64;
    private static final int SEGMENT = 56;
    private static final int DYNAMIC = HEADER + 3 * SEGMENT;
    private static final int DYNAMIC_BYTES = 7 * 16;
    private static final int SYMBOLS = DYNAMIC + DYNAMIC_BYTES;
    private static final int HASHES = SYMBOLS + 24;
    private static final int CODE = HASHES + 16;
    private static final int SIZE = CODE + 8;

    private CrashingLibrary() {}

    static Path in(Path folder) throws IOException {
        var out = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
        out.put(new byte[] {0x7F, 'E', 'L', 'F', 2, 1, 1}).position(16);
        out.putShort((short) 3).putShort((short) 62).putInt(1); // a shared object for x86-64
        out.putLong(0).putLong(HEADER).putLong(0).putInt(0);
        out.putShort((short) HEADER)
                .putShort((short) SEGMENT)
                .putShort((short) 3)
                .position(HEADER);
        segment(out, 7L << 32 | 1, 0, SIZE); // loaded whole: readable, writable, executable
        segment(out, 6L << 32 | 2, DYNAMIC, DYNAMIC_BYTES);
        segment(out, 6L << 32 | 0x6474_E551L, 0, 0); // needs no executable stack
        entry(out, 12, CODE); // what runs when it is loaded
        entry(out, 4, HASHES);
        entry(out, 5, SYMBOLS);
        entry(out, 6, SYMBOLS);
        entry(out, 10, 1);
        entry(out, 11, 24);
        entry(out, 0, 0);
        out.putInt(HASHES, 1).putInt(HASHES + 4, 1); // one bucket, one symbol: the empty one
        out.put(CODE, (byte) 0x0F).put(CODE + 1, (byte) 0x0B);
        return Files.write(folder.resolve("libllama.so"), out.array());
    }

    private static void segment(ByteBuffer out, long flagsAndType, int at, int bytes) {
        out.putLong(flagsAndType)
                .putLong(at)
                .putLong(at)
                .putLong(at)
                .putLong(bytes)
                .putLong(bytes)
                .putLong(8);
    }

    private static void entry(ByteBuffer out, long tag, long value) {
        out.putLong(tag).putLong(value);
    }
}
