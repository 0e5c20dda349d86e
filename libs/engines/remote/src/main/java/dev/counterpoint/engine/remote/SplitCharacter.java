package dev.counterpoint.engine.remote;

import dev.counterpoint.engine.http.ServerFailure;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Finds the ids that llama-server does not send: while a character is incomplete it holds events back,
/// and afterwards it sends the whole character with the id of its last token only. Its bytes say what
/// the others were.
final class SplitCharacter {
    /// Tokens that are no text for themselves, by their bytes as Latin-1.
    private static final class Pieces {
        static final Map<String, Integer> BY_BYTES = IntStream.range(0, SpecialTokens.FIRST)
                .filter(token ->
                        HarmonyTokenizer.shared().decode(new int[] {token}).contains("\uFFFD"))
                .boxed()
                .collect(Collectors.toUnmodifiableMap(Pieces::bytes, Function.identity()));

        static String bytes(int token) {
            return new String(HarmonyTokenizer.shared().bytes(token), StandardCharsets.ISO_8859_1);
        }
    }

    private SplitCharacter() {}

    /// @param last token of the character
    /// @param content text of all its tokens
    /// @param count how many come before the last
    /// @throws ServerFailure when no such tokens make up that text
    static List<Integer> before(int last, String content, int count) throws ServerFailure {
        var end = SpecialTokens.isSpecial(last) ? "" : Pieces.bytes(last);
        var all = new String(content.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        var found = all.endsWith(end) ? split(all.substring(0, all.length() - end.length()), count) : null;
        if (found == null) {
            throw ServerFailure.wrong("the server kept tokens back");
        }
        return found;
    }

    /// The first piece as long as can be, as the model was taught.
    private static @Nullable List<Integer> split(String bytes, int count) {
        if (count == 1) {
            var piece = Pieces.BY_BYTES.get(bytes);
            return piece == null ? null : List.of(piece);
        }
        for (int end = bytes.length() - count + 1; end > 0; end--) {
            var first = Pieces.BY_BYTES.get(bytes.substring(0, end));
            var rest = first == null ? null : split(bytes.substring(end), count - 1);
            if (rest != null) {
                return Stream.concat(Stream.of(first), rest.stream()).toList();
            }
        }
        return null;
    }
}
