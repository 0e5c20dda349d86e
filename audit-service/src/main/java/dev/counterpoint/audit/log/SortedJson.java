package dev.counterpoint.audit.log;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.SortedMap;

/// JSON in one form only: members in order, no blanks, the escapes of RFC 8785. Equal members have equal texts, so a
/// hash of the text is one of the members. Numbers are whole and below 2^53.
public final class SortedJson {
    private static final JsonMapper JSON =
            JsonMapper.builder().disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE).build();

    private SortedJson() {}

    public static String of(SortedMap<String, Object> members) {
        try {
            return JSON.writeValueAsString(members);
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
}
