package dev.counterpoint.engine.remote;

import dev.counterpoint.engine.http.ServerFailure;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds the ids that llama-server does not send: while a character is incomplete it holds events back,
/// and afterwards it sends the whole character with the id of its last token only. Its bytes say what
/// the others were.
final class SplitCharacter {
    /// Tokens that are no text for themselves, by their bytes as Latin-1.
    private static final class Pieces {
        static final Map<String, Integer> BY_BYTES = load();

        private static Map<String, Integer> load() {
            var pieces = new HashMap<String, Integer>();
            for (int token = 0; token < SpecialTokens.FIRST; token++) {
                byte[] bytes = HarmonyTokenizer.shared().bytes(token);
                if (!isText(bytes)) {
                    pieces.put(new String(bytes, StandardCharsets.ISO_8859_1), token);
                }
            }
            return Map.copyOf(pieces);
        }

        private static boolean isText(byte[] bytes) {
            try {
                StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
                return true;
            } catch (CharacterCodingException e) {
                return false;
            }
        }
    }

    private SplitCharacter() {}

    /// @param last token of the character
    /// @param content text of all its tokens
    /// @param count how many come before the last
    /// @throws ServerFailure when no such tokens make up that text
    static int[] before(int last, String content, int count) throws ServerFailure {
        byte[] end = SpecialTokens.isSpecial(last)
                ? new byte[0]
                : HarmonyTokenizer.shared().bytes(last);
        byte[] all = content.getBytes(StandardCharsets.UTF_8);
        int length = all.length - end.length;
        if (length >= count && Arrays.equals(all, length, all.length, end, 0, end.length)) {
            int[] found = split(new String(all, 0, length, StandardCharsets.ISO_8859_1), count);
            if (found != null) {
                return found;
            }
        }
        throw ServerFailure.wrong("the server kept tokens back");
    }

    /// The first piece as long as can be, as the model was taught.
    private static int @Nullable [] split(String bytes, int count) {
        if (count == 1) {
            var piece = Pieces.BY_BYTES.get(bytes);
            return piece == null ? null : new int[] {piece};
        }
        for (int end = bytes.length() - count + 1; end > 0; end--) {
            var first = Pieces.BY_BYTES.get(bytes.substring(0, end));
            var rest = first == null ? null : split(bytes.substring(end), count - 1);
            if (first != null && rest != null) {
                int[] found = new int[count];
                found[0] = first;
                System.arraycopy(rest, 0, found, 1, rest.length);
                return found;
            }
        }
        return null;
    }
}
