package dev.counterpoint.auditlog;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.SortedMap;

/// JSON in one form only: members in order, no blanks, the escapes of RFC 8785. Equal members have equal texts, so a
/// hash of the text is one of the members. Numbers are whole and below 2^53.
public final class SortedJson {
    /// Characters of the longest text that is read: the largest ciphertext in base64 has 22 million.
    private static final int TEXT_MAX = 1 << 26;

    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxStringLength(TEXT_MAX)
                            .build())
                    .build())
            .disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE)
            .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .disable(MapperFeature.SORT_CREATOR_PROPERTIES_FIRST)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();

    private SortedJson() {}

    public static String of(SortedMap<String, Object> members) {
        return text(members);
    }

    private static String text(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("a member is no text, number or flag", e);
        }
    }

    /// @throws IllegalArgumentException for what is no JSON
    public static JsonNode read(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not JSON");
        }
    }

    static byte[] bytes(Object value) {
        return text(value).getBytes(UTF_8); // Jackson's own bytes have escapes of emoji
    }

    /// Reads the file that [#bytes] writes. Empty for bytes in any other form.
    static <T> Optional<T> exactly(byte[] file, Class<T> type) {
        try {
            return Optional.ofNullable(JSON.readValue(file, type)).filter(value -> Arrays.equals(bytes(value), file));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
