package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import dev.counterpoint.structured.strict.StrictSchema;
import dev.counterpoint.testkit.ConformanceFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A schema that strict mode takes, and what an answer to it may be.
///
/// @param id of the schema
record StrictCase(String id, JsonNode schema) {
    /// Keeps every digit of a number.
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
            .build();
    private static final Pattern EMAIL = Pattern.compile("[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@"
            + "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*");
    private static final Pattern FAR_OFFSET = Pattern.compile("[+-](?:18|19|2[0-3]):[0-5][0-9]$");
    private static final JsonSchemaFactory SCHEMAS = JsonSchemaFactory.getInstance(VersionFlag.V202012);
    private static final SchemaValidatorsConfig CONFIG =
            SchemaValidatorsConfig.builder().formatAssertionsEnabled(true).build();

    /// Schemas over all keywords of strict mode.
    static Stream<StrictCase> own() {
        try (var lines = StrictCase.class.getResourceAsStream("/strict-schemas.jsonl")) {
            return read(new String(Objects.requireNonNull(lines).readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Schemas of the conformance data that strict mode takes; none where the data is not there and need not be.
    static Stream<StrictCase> sampled() {
        return ConformanceFiles.find("schemas/dev-sample.jsonl").stream().flatMap(file -> {
            try {
                return read(Files.readString(file))
                        .filter(one -> StrictSchema.violation(one.schema).isEmpty());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static Stream<StrictCase> read(String text) {
        return text.lines()
                .map(ApiClient::tree)
                .map(line -> new StrictCase(line.path("id").asText(), line.path("schema")));
    }

    /// Has a chat request ask for an answer of this form.
    void demand(ObjectNode request) {
        request.putObject("response_format")
                .put("type", "json_schema")
                .putObject("json_schema")
                .put("name", "answer")
                .put("strict", true)
                .set("schema", schema);
    }

    /// Text from the model: an answer or the arguments of a call.
    ///
    /// @param complete false where a limit cut the text off
    record Said(boolean complete, String text) {}

    /// Whole text has to fit the schema; of text that was cut off, all there is has to be the start of text that
    /// fits.
    void check(Said said) {
        if (said.complete) {
            assertThat(complaints(said.text)).as(said.text).isEmpty();
        } else {
            new ArrivingValue(this).accept(said.text);
        }
    }

    private List<String> complaints(String text) {
        try {
            // Both are read alike, so that equal numbers are equal.
            return SCHEMAS.getSchema(JSON.readTree(schema.toString()), CONFIG).validate(JSON.readTree(text)).stream()
                    .filter(message -> !isMultiple(message) && !isFarOffset(message) && !isEmailAddress(message))
                    .map(Object::toString)
                    .toList();
        } catch (JsonProcessingException e) {
            throw new AssertionError("no JSON: " + text, e);
        }
    }

    /// The validator divides with too few digits.
    private static boolean isMultiple(ValidationMessage message) {
        return "multipleOf".equals(message.getType())
                && message.getInstanceNode()
                                .decimalValue()
                                .remainder(message.getSchemaNode().decimalValue())
                                .signum()
                        == 0;
    }

    /// RFC 3339 has time zones up to 23:59, the validator up to 18:00 as Java.
    private static boolean isFarOffset(ValidationMessage message) {
        return "format".equals(message.getType())
                && FAR_OFFSET.matcher(message.getInstanceNode().asText()).find();
    }

    /// RFC 5321 knows no list of top-level domains, the validator does.
    private static boolean isEmailAddress(ValidationMessage message) {
        return "email".equals(message.getSchemaNode().asText())
                && EMAIL.matcher(message.getInstanceNode().asText()).matches();
    }

    @Override
    public String toString() {
        return id;
    }
}
