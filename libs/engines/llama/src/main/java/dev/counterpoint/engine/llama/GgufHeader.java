package dev.counterpoint.engine.llama;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// The values that a GGUF file says of its model, before its tensors.
///
/// @param texts the values that are strings, by key
/// @param numbers the values that are whole numbers, by key
/// @param lengths how long the arrays are, by key
record GgufHeader(Map<String, String> texts, Map<String, Long> numbers, Map<String, Long> lengths) {
    private static final int MAGIC = 0x46554747; // GGUF
    private static final int OLDEST_VERSION = 2;
    private static final int NEWEST_VERSION = 3;
    private static final long ENTRIES_MAX = 1 << 20;
    private static final long ELEMENTS_MAX = 1 << 24;

    private static final int FLOAT32 = 6;
    private static final int TEXT = 8;
    private static final int ARRAY = 9;
    private static final int FLOAT64 = 12;
    /// Bytes of a value, by type; 0 for texts and arrays, which say it themselves.
    private static final int[] VALUE_BYTES = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

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
        in.skip(Long.BYTES); // how many tensors follow
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
        return new GgufHeader(Map.copyOf(texts), Map.copyOf(numbers), Map.copyOf(lengths));
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
