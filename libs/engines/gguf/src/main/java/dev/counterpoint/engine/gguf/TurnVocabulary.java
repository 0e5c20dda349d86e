package dev.counterpoint.engine.gguf;

import dev.counterpoint.engine.llama.ModelVocabulary;
import dev.counterpoint.structured.match.LexemeIndex;
import dev.counterpoint.structured.vocabulary.TokenVocabulary;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The tokens that a model may write in a turn: its ordinary ones, and those control tokens that spell its marks.
/// Immutable, thread-safe.
final class TurnVocabulary {
    private static final byte[] NEVER = {};

    private final ModelVocabulary vocabulary;
    private final byte[][] texts;
    /// Tokens that are marks or parts of marks, by what they spell.
    private final Map<String, Integer> marks = new LinkedHashMap<>();

    /// @param written marks that turns may have
    TurnVocabulary(ModelVocabulary vocabulary, Collection<String> written) {
        this.vocabulary = vocabulary;
        texts = vocabulary.texts().clone();
        for (int token = 0; token < texts.length; token++) {
            var name = vocabulary.name(token);
            if (vocabulary.isMark(token) && !name.isBlank() && written.stream().anyMatch(mark -> mark.contains(name))) {
                marks.put(name, token);
                texts[token] = name.getBytes(StandardCharsets.UTF_8);
            }
        }
    }

    /// An index of the tokens as grammars know them.
    LexemeIndex lexemes() {
        var all = new byte[texts.length][];
        for (int token = 0; token < all.length; token++) {
            boolean ends = vocabulary.ends().contains(token);
            // A byte that no UTF-8 has would be taken for a token with a meaning of its own.
            boolean foreign = texts[token].length > 0 && (texts[token][0] & 0xff) == TokenVocabulary.SPECIAL;
            all[token] = ends ? TokenVocabulary.special(TurnTextGrammar.END) : foreign ? NEVER : texts[token];
        }
        return new LexemeIndex(new TokenVocabulary(all));
    }

    /// The text of a token; empty for tokens that end the output.
    byte[] text(int token) {
        return vocabulary.ends().contains(token) ? NEVER : texts[token];
    }

    /// The same before the beginning of a character.
    int[] continuation(String text, byte[] half) {
        var bytes = IntStream.range(0, half.length).map(i -> vocabulary.byteToken(half[i] & 0xff));
        return IntStream.concat(IntStream.of(continuation(text)), bytes).toArray();
    }

    /// The tokens of a text that follows others: marks as the model writes them, everything else byte for byte.
    int[] continuation(String text) {
        for (var mark : marks.entrySet()) {
            int at = text.indexOf(mark.getKey());
            if (at >= 0) {
                var behind = text.substring(at + mark.getKey().length());
                return Stream.of(continuation(text.substring(0, at)), new int[] {mark.getValue()}, continuation(behind))
                        .flatMapToInt(IntStream::of)
                        .toArray();
            }
        }
        return vocabulary.continuation(text);
    }
}
