package dev.counterpoint.engine.llama;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// The header of a GGUF file, before its weights.
///
/// @param texts the values that are strings, by key
/// @param numbers the values that are whole numbers, by key
/// @param lengths how long the arrays are, by key
/// @param missingBytes how much the file is too short for its tensors
record GgufHeader(Map<String, String> texts, Map<String, Long> numbers, Map<String, Long> lengths, long missingBytes) {
    private static final int MAGIC = 0x46554747; // GGUF
    private static final int OLDEST_VERSION = 2;
    private static final int NEWEST_VERSION = 3;
    private static final long ENTRIES_MAX = 1 << 20;
    private static final long ELEMENTS_MAX = 1 << 24;
    private static final int DIMENSIONS_MAX = 8;

    private static final int FLOAT32 = 6;
    private static final int TEXT = 8;
    private static final int ARRAY = 9;
    private static final int FLOAT64 = 12;
    /// Bytes of a value, by type; 0 for texts and arrays, which say it themselves.
    private static final int[] VALUE_BYTES = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

    /// Elements and bytes of one block of a tensor, by type. Of a type that is not here only the beginning is
    /// known to be in the file.
    private static final Map<Long, long[]> BLOCKS = Map.ofEntries(
            Map.entry(0L, new long[] {1, 4}), // F32
            Map.entry(1L, new long[] {1, 2}), // F16
            Map.entry(2L, new long[] {32, 18}), // Q4_0
            Map.entry(3L, new long[] {32, 20}), // Q4_1
            Map.entry(6L, new long[] {32, 22}), // Q5_0
            Map.entry(7L, new long[] {32, 24}), // Q5_1
            Map.entry(8L, new long[] {32, 34}), // Q8_0
            Map.entry(12L, new long[] {256, 144}), // Q4_K
            Map.entry(13L, new long[] {256, 176}), // Q5_K
            Map.entry(14L, new long[] {256, 210}), // Q6_K
            Map.entry(30L, new long[] {1, 2}), // BF16
            Map.entry(39L, new long[] {32, 17})); // MXFP4

    /// @throws UnusableModelException when the file is missing, cut within its header, or no GGUF
    static GgufHeader read(Path file) {
        if (!Files.exists(file)) {
            throw new UnusableModelException(file, "does not exist");
        }
        try (var in = new GgufInput(file)) {
            if (in.length() < Integer.BYTES || in.number(Integer.BYTES) != MAGIC) {
                throw new UnusableModelException(file, "is not a GGUF file");
            }
            long version = in.number(Integer.BYTES);
            if (version < OLDEST_VERSION || version > NEWEST_VERSION) {
                throw new UnusableModelException(file, "has GGUF version " + version + ", which is unknown");
            }
            return read(in);
        } catch (EOFException e) {
            throw new UnusableModelException(file, "is truncated: it ends within its header", e);
        } catch (IOException e) {
            throw new UnusableModelException(file, "cannot be read: " + e, e);
        }
    }

    /// A text of the file; empty when it has none.
    String text(String key) {
        return texts.getOrDefault(key, "");
    }

    /// A number of its architecture; 0 when it says none.
    long ofModel(String name) {
        return numbers.getOrDefault(text("general.architecture") + "." + name, 0L);
    }

    private static GgufHeader read(GgufInput in) throws IOException {
        long tensors = bounded("tensors", in.number(Long.BYTES), ENTRIES_MAX);
        long entries = bounded("entries", in.number(Long.BYTES), ENTRIES_MAX);
        var texts = new HashMap<String, String>();
        var numbers = new HashMap<String, Long>();
        var lengths = new HashMap<String, Long>();
        for (long i = 0; i < entries; i++) {
            var key = in.text();
            int type = type(in);
            switch (type) {
                case TEXT -> texts.put(key, in.text());
                case ARRAY -> lengths.put(key, skipArray(in));
                case FLOAT32, FLOAT64 -> in.skip(VALUE_BYTES[type]);
                default -> numbers.put(key, in.number(VALUE_BYTES[type]));
            }
        }
        long end = endOfTensors(in, tensors, Math.max(1, numbers.getOrDefault("general.alignment", 32L)));
        return new GgufHeader(
                Map.copyOf(texts), Map.copyOf(numbers), Map.copyOf(lengths), Math.max(0, end - in.length()));
    }

    private static long skipArray(GgufInput in) throws IOException {
        int type = type(in);
        long length = bounded("elements", in.number(Long.BYTES), ELEMENTS_MAX);
        if (type == ARRAY) {
            throw new IOException("an array of arrays");
        }
        if (type != TEXT) {
            in.skip(length * VALUE_BYTES[type]);
            return length;
        }
        for (long i = 0; i < length; i++) {
            in.skip(in.number(Long.BYTES));
        }
        return length;
    }

    private static long endOfTensors(GgufInput in, long tensors, long alignment) throws IOException {
        long end = 0;
        for (long i = 0; i < tensors; i++) {
            in.text();
            long dimensions = bounded("dimensions", in.number(Integer.BYTES), DIMENSIONS_MAX);
            long elements = 1;
            for (long d = 0; d < dimensions; d++) {
                elements = Math.multiplyExact(elements, in.number(Long.BYTES));
            }
            var block = BLOCKS.getOrDefault(in.number(Integer.BYTES), new long[] {1, 0});
            end = Math.max(end, in.number(Long.BYTES) + elements / block[0] * block[1]);
        }
        return Math.ceilDiv(in.position(), alignment) * alignment + end;
    }

    private static int type(GgufInput in) throws IOException {
        return (int) bounded("types", in.number(Integer.BYTES), VALUE_BYTES.length - 1);
    }

    private static long bounded(String what, long value, long max) throws IOException {
        if (value < 0 || value > max) {
            throw new IOException(value + " " + what);
        }
        return value;
    }
}
