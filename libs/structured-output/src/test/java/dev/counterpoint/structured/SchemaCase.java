package dev.counterpoint.structured;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A schema with values that fit it and values that do not.
record SchemaCase(String id, JsonNode schema, List<Instance> instances) {
    /// Keeps every digit of a number.
    static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
            .build();

    /// A value, as Python writes it.
    record Instance(boolean valid, String text) {}

    /// The cases of a file, one a line.
    static List<SchemaCase> read(Path file) {
        try (var lines = Files.lines(file)) {
            return lines.filter(line -> !line.isBlank()).map(SchemaCase::parse).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JsonNode readJson(Path file) {
        try {
            return JSON.readTree(file.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JsonNode parsed(String json) {
        try {
            return JSON.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SchemaCase parse(String line) {
        try (var in = JSON.createParser(line)) {
            String id = "";
            JsonNode schema = JSON.nullNode();
            var instances = new ArrayList<Instance>();
            in.nextToken();
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                var name = in.currentName();
                in.nextToken();
                switch (name) {
                    case "id" -> id = in.getText();
                    case "schema" -> schema = in.readValueAsTree();
                    case "tests" -> readInstances(in, instances);
                    default -> in.skipChildren();
                }
            }
            return new SchemaCase(id, schema, List.copyOf(instances));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void readInstances(JsonParser in, List<Instance> instances) throws IOException {
        while (in.nextToken() == JsonToken.START_OBJECT) {
            boolean valid = false;
            String text = "";
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                var name = in.currentName();
                in.nextToken();
                switch (name) {
                    case "valid" -> valid = in.getBooleanValue();
                    case "data" -> text = PythonJson.of(in);
                    default -> in.skipChildren();
                }
            }
            instances.add(new Instance(valid, text));
        }
    }
}
