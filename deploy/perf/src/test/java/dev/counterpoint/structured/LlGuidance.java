package dev.counterpoint.structured;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.structured.vocabulary.TokenBits;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.zip.InflaterInputStream;

/// A running llguidance that answers questions about one schema after the other.
final class LlGuidance implements AutoCloseable {
    private final Process process;
    private final BufferedReader answers;
    private final BufferedWriter questions;

    /// Returns when it has loaded its vocabulary.
    LlGuidance(PeerInstallation installation) throws IOException {
        process = installation
                .program()
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        answers = process.inputReader(StandardCharsets.US_ASCII);
        questions = process.outputWriter(StandardCharsets.US_ASCII);
        read();
    }

    /// True if it can enforce the schema; all further questions are about it.
    boolean compile(JsonNode schema) throws IOException {
        return ask(SchemaDice.object().put("schema", schema.toString()))
                .path("refused")
                .isNull();
    }

    /// The mask after these tokens, or nothing when they are refused.
    Optional<TokenBits> mask(int[] tokens) throws IOException {
        var answer = ask(question("masks", tokens)).path("masks").path(0);
        return answer.isNull() ? Optional.empty() : Optional.of(mask(answer.asText()));
    }

    private static TokenBits mask(String packed) throws IOException {
        var bits = new TokenBits(ModelTokens.SIZE);
        byte[] bytes;
        try (var in = new InflaterInputStream(
                new ByteArrayInputStream(Base64.getDecoder().decode(packed)))) {
            bytes = in.readAllBytes();
        }
        var words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
        for (int i = 0; i < words.remaining(); i++) {
            for (long left = words.get(i); left != 0; left &= left - 1) {
                int token = i * Long.SIZE + Long.numberOfTrailingZeros(left);
                // Those above are its words for ends, which our masks know nothing of.
                if (ModelTokens.isText(token)) {
                    bits.set(token);
                }
            }
        }
        return bits;
    }

    /// True if this is a whole text.
    boolean accepts(int[] tokens) throws IOException {
        return ask(question("accepts", tokens)).path("accepts").path(0).asBoolean();
    }

    /// A whole text that starts so, or nothing when none is found in a few hundred tokens.
    Optional<int[]> complete(int[] tokens, int seed) throws IOException {
        var question = question("complete", tokens);
        question.put("seed", seed);
        var answer = ask(question).path("complete").path(0);
        if (answer.isNull()) {
            return Optional.empty();
        }
        List<Integer> text = new ArrayList<>();
        answer.forEach(token -> text.add(token.asInt()));
        return Optional.of(text.stream().mapToInt(Integer::intValue).toArray());
    }

    private static ObjectNode question(String word, int[] tokens) {
        var sequence = SchemaDice.array(List.of());
        for (int token : tokens) {
            sequence.add(token);
        }
        return SchemaDice.object().set(word, SchemaDice.array(List.of(sequence)));
    }

    private JsonNode ask(JsonNode question) throws IOException {
        questions.write(escaped(question.toString()));
        questions.write('\n');
        questions.flush();
        return read();
    }

    private static String escaped(String json) {
        var ascii = new StringBuilder();
        for (char c : json.toCharArray()) {
            ascii.append(c < 0x7f ? String.valueOf(c) : String.format("\\u%04x", (int) c));
        }
        return ascii.toString();
    }

    private JsonNode read() throws IOException {
        var line = answers.readLine();
        if (line == null) {
            throw new IOException("llguidance ended");
        }
        return SchemaCase.JSON.readTree(line);
    }

    @Override
    public void close() throws IOException {
        questions.close();
        process.destroy();
    }
}
