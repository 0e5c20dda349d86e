package dev.counterpoint.harmony.parse;

import dev.counterpoint.harmony.tokenizer.Vocabulary;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The tokens of a header, until it is complete and read as one text.
final class HeaderTokens {
    private static final String FAILURE = "Could not decode tokens: ";

    private final Vocabulary vocabulary;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private @Nullable Integer firstUnknown;

    HeaderTokens(Vocabulary vocabulary) {
        this.vocabulary = vocabulary;
    }

    void add(int token) {
        if (Vocabulary.contains(token)) {
            int start = vocabulary.start(token);
            bytes.write(vocabulary.bytes(), start, vocabulary.end(token) - start);
        } else if (firstUnknown == null) {
            firstUnknown = token;
        }
    }

    boolean isEmpty() {
        return bytes.size() == 0 && firstUnknown == null;
    }

    void clear() {
        bytes.reset();
        firstUnknown = null;
    }

    /// @throws HarmonyFormatException for an unknown id and for malformed UTF-8
    String text() {
        if (firstUnknown != null) {
            throw new HarmonyFormatException(FAILURE + "Invalid token error: Invalid token for decoding: "
                    + Integer.toUnsignedString(firstUnknown));
        }
        var in = ByteBuffer.wrap(bytes.toByteArray());
        var out = CharBuffer.allocate(in.remaining());
        var result = StandardCharsets.UTF_8.newDecoder().decode(in, out, false);
        if (result.isError()) {
            throw new HarmonyFormatException(FAILURE + "Invalid utf-8 sequence: invalid utf-8 sequence of "
                    + result.length() + " bytes from index " + in.position());
        }
        if (in.hasRemaining()) {
            throw new HarmonyFormatException(
                    FAILURE + "Invalid utf-8 sequence: incomplete utf-8 byte sequence from index " + in.position());
        }
        return out.flip().toString();
    }
}
