package dev.counterpoint.engine.llama.tiny;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.engine.llama.gguf.HarmonyVocabulary;
import dev.counterpoint.engine.llama.gguf.TensorType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;

/// The learned parameters, as the training program writes them: a safetensors file in which a tensor
/// NAME is one tensor of F32 or F16, or two of them, NAME.values (I8) and NAME.scales (F16, one for 32
/// values of a row).
final class Parameters {
    private static final String FORMAT = "tiny-gpt-oss-parameters";
    private static final String VERSION = "1";
    private static final String VALUES = ".values";
    private static final String SCALES = ".scales";
    private static final int BLOCK = 32;
    private static final Map<String, Integer> BYTES = Map.of("F32", 4, "F16", 2, "I8", 1, "I32", 4);

    private final ByteBuffer data;
    private final JsonNode header;
    private final Architecture architecture;

    /// One tensor as it is stored.
    private record Stored(String type, int[] shape, ByteBuffer bytes) {
        int size() {
            return bytes.capacity() / BYTES.getOrDefault(type, 1);
        }

        float number(int i) {
            return switch (type) {
                case "F32" -> bytes.getFloat(i * Float.BYTES);
                case "F16" -> Float.float16ToFloat(bytes.getShort(i * Short.BYTES));
                default -> bytes.get(i);
            };
        }
    }

    private Parameters(JsonNode header, ByteBuffer data) {
        this.header = header;
        this.data = data;
        this.architecture = Architecture.of(header.path("__metadata__"));
    }

    /// @throws IllegalArgumentException when the content is no parameter file of this version; the message says what is
    ///     wrong with it
    static Parameters read(byte[] content) {
        var buffer = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
        if (content.length < Long.BYTES || buffer.getLong(0) < 0 || buffer.getLong(0) > content.length - Long.BYTES) {
            throw new IllegalArgumentException("the file ends within its header");
        }
        int start = Long.BYTES + (int) buffer.getLong(0);
        JsonNode header;
        try {
            header = new ObjectMapper().readTree(content, Long.BYTES, start - Long.BYTES);
        } catch (IOException e) {
            throw new IllegalArgumentException("the header is not JSON", e);
        }
        var metadata = header.path("__metadata__");
        if (!metadata.path("format").asText().equals(FORMAT)
                || !metadata.path("version").asText().equals(VERSION)) {
            throw new IllegalArgumentException("the file is not version " + VERSION + " of " + FORMAT);
        }
        return new Parameters(header, slice(buffer, start, content.length - start));
    }

    Architecture architecture() {
        return architecture;
    }

    /// The format of the tensors that are not small, here and in the model that is made of them.
    TensorType type() {
        return header.has("input_rows" + VALUES) ? TensorType.Q8_0 : TensorType.F16;
    }

    /// The ids that have learned rows of their own: the first has row 1.
    ///
    /// @throws IllegalArgumentException as [#tensor] does, and for an id outside the vocabulary
    int[] kept() {
        var stored = stored("kept", Set.of("I32"));
        var ids = new int[stored.size()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = stored.bytes.getInt(i * Integer.BYTES);
            if (ids[i] < 0 || ids[i] >= HarmonyVocabulary.SIZE) {
                throw wrong("kept", "has " + ids[i] + ", which is no id of the vocabulary");
            }
        }
        return ids;
    }

    /// The numbers of a tensor, row after row.
    ///
    /// @param shape that it must have, the length of a row last
    /// @throws IllegalArgumentException when it is missing, has another shape or does not lie within the file
    float[] tensor(String name, int... shape) {
        boolean quantised = header.has(name + VALUES);
        var stored = quantised ? stored(name + VALUES, Set.of("I8")) : stored(name, Set.of("F32", "F16"));
        if (!Arrays.equals(stored.shape, shape)) {
            throw wrong(
                    name, "has the shape " + Arrays.toString(stored.shape) + " instead of " + Arrays.toString(shape));
        }
        var numbers = new float[stored.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = stored.number(i);
        }
        if (quantised) {
            scale(name, numbers);
        }
        return numbers;
    }

    private void scale(String name, float[] numbers) {
        var scales = stored(name + SCALES, Set.of("F16"));
        if (scales.size() * BLOCK != numbers.length) {
            throw wrong(name + SCALES, "has " + scales.size() + " scales for " + numbers.length + " numbers");
        }
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] *= scales.number(i / BLOCK);
        }
    }

    private Stored stored(String name, Set<String> types) {
        var entry = header.path(name);
        var type = entry.path("dtype").asText();
        if (!types.contains(type)) {
            throw wrong(name, entry.isMissingNode() ? "is missing" : "has the type '" + type + "'");
        }
        var shape = new int[entry.path("shape").size()];
        long bytes = BYTES.getOrDefault(type, 1);
        for (int i = 0; i < shape.length && bytes <= data.capacity(); i++) {
            shape[i] = entry.path("shape").path(i).asInt();
            bytes *= shape[i];
        }
        long from = entry.path("data_offsets").path(0).asLong(-1);
        long to = entry.path("data_offsets").path(1).asLong(-1);
        if (from < 0 || to < from || to > data.capacity() || to - from != bytes) {
            throw wrong(name, "does not lie within the file as its shape says");
        }
        return new Stored(type, shape, slice(data, (int) from, (int) bytes));
    }

    private static ByteBuffer slice(ByteBuffer buffer, int from, int length) {
        return buffer.slice(from, length).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static IllegalArgumentException wrong(String name, String problem) {
        return new IllegalArgumentException("tensor '" + name + "' " + problem);
    }
}
