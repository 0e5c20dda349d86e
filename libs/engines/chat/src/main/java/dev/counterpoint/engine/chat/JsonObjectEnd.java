package dev.counterpoint.engine.chat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.async.ByteArrayFeeder;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.io.UncheckedIOException;

/// Finds the end of a JSON object in a text that arrives in pieces. Not thread-safe.
final class JsonObjectEnd {
    /// Models write line breaks into strings without escaping them.
    static final JsonFactory JSON = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
            .build();

    private final JsonParser parser;
    private final ByteArrayFeeder feeder;
    private long fed;
    private int depth;
    private boolean ended;
    private boolean broken;

    JsonObjectEnd() {
        try {
            parser = JSON.createNonBlockingByteArrayParser();
            feeder = (ByteArrayFeeder) parser.getNonBlockingInputFeeder();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Reads on.
    ///
    /// @param text that was not read yet
    /// @return the number of characters that belong to the object; all where the text is no JSON
    int read(String text) {
        if (ended || text.isEmpty()) {
            return 0;
        }
        if (!broken) {
            // One byte a character: where the object ends depends on none that takes more.
            byte[] bytes = new byte[text.length()];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (text.charAt(i) < Byte.MAX_VALUE ? text.charAt(i) : '?');
            }
            parse(bytes);
        }
        long before = fed;
        fed += text.length();
        return ended ? (int) (parser.currentLocation().getByteOffset() - before) : text.length();
    }

    private void parse(byte[] bytes) {
        try {
            feeder.feedInput(bytes, 0, bytes.length);
            while (!ended && !broken && parser.nextToken() != JsonToken.NOT_AVAILABLE) {
                var token = parser.currentToken();
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                ended = depth == 0 && token == JsonToken.END_OBJECT;
                broken = depth == 0 && !ended;
            }
        } catch (IOException e) {
            broken = true;
        }
    }

    /// True if the object is whole.
    boolean ended() {
        return ended;
    }
}
