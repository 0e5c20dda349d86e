package dev.counterpoint.harmony;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.LongPiece;
import dev.counterpoint.harmony.tokenizer.PairTree;
import dev.counterpoint.harmony.tokenizer.PieceMerger;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import dev.counterpoint.harmony.tokenizer.TokenBuffer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/// The tokenizer against its own definition.
class TokenizerPropertyTest {
    private static final HarmonyTokenizer TOKENIZER = HarmonyTokenizer.shared();
    private static final PlainTokenizer PLAIN = new PlainTokenizer(TOKENIZER);

    @Property(tries = 5000)
    void encodesAnyTextAsDefined(@ForAll("texts") String text) {
        var tokens = TOKENIZER.encode(text);
        assertThat(tokens).isEqualTo(PLAIN.encode(text));
        assertThat(TOKENIZER.countTokens(text)).isEqualTo(tokens.length);
        assertThat(TOKENIZER.decode(tokens)).isEqualTo(text.replaceAll("\\p{Cs}", "\uFFFD"));
    }

    @Test
    void findsEveryTokenByItsBytesAndNoOther() {
        // Given all tokens, and what they become when a byte changes, goes or comes
        var dice = new Random(1);
        for (int id = 0; id < SpecialTokens.FIRST; id++) {
            var token = TOKENIZER.bytes(id);
            var changed = token.clone();
            changed[dice.nextInt(token.length)] = (byte) dice.nextInt();
            var shorter = Arrays.copyOf(token, Math.max(1, token.length - 1));
            var longer = Arrays.copyOf(token, token.length + 1);
            // When and then
            assertThat(find(token)).isEqualTo(id);
            for (byte[] other : List.of(changed, shorter, longer)) {
                assertThat(find(other)).isEqualTo(PLAIN.rank(other));
            }
        }
    }

    private static int find(byte[] bytes) {
        return TOKENIZER.vocabulary().find(bytes, 0, bytes.length);
    }

    @Property(tries = 2000)
    void mergesAnyBytesAsDefined(@ForAll byte @Size(min = 1, max = 60) [] bytes) {
        assertThat(merged(bytes)).isEqualTo(PLAIN.merge(bytes));
    }

    @Property(tries = 100)
    void mergesLongPiecesAsDefined(@ForAll("longPieces") byte[] piece) {
        assertThat(merged(piece)).isEqualTo(PLAIN.merge(piece));
    }

    @Property(tries = 500)
    void mergesInWindowsOfAnySizeAsDefined(
            @ForAll("longPieces") byte[] piece, @ForAll @IntRange(min = 5, max = 300) int window) {
        var tokens = new TokenBuffer(piece.length);
        var start = Arrays.copyOf(piece, 500);
        new LongPiece(start, 0, start.length, new PairTree(TOKENIZER.vocabulary())).merge(window, tokens);
        assertThat(list(tokens)).isEqualTo(PLAIN.merge(start));
    }

    private static List<Integer> merged(byte[] piece) {
        var tokens = new TokenBuffer(piece.length);
        new PieceMerger(TOKENIZER.vocabulary(), piece.length).merge(piece, 0, piece.length, tokens);
        return list(tokens);
    }

    private static List<Integer> list(TokenBuffer tokens) {
        return IntStream.of(tokens.toArray()).boxed().toList();
    }

    /// Any characters, among them what the expression tells apart and what Java and the reference see differently.
    @Provide
    Arbitrary<String> texts() {
        var any = Arbitraries.strings().all().ofMaxLength(6);
        var surrogates = Arbitraries.strings().withCharRange('\uD800', '\uDFFF').ofMaxLength(3);
        var spaces = Arbitraries.strings()
                .withChars(" \t\n\r\u000B\f\u0085\u00A0\u2003\u2028\u3000\u200B\u180E/")
                .ofMinLength(1)
                .ofMaxLength(7);
        var words = Arbitraries.strings()
                .withChars("abzABZéÉßǅʰªא字あ\u0301\u0E31ſ'٣½Ⅷ09_-.!?/<|>")
                .ofMinLength(1)
                .ofMaxLength(20);
        var contractions = Arbitraries.of(
                "'s", "'S", "'\u017F", "'\u017Ft", "'t", "'RE", "'vE", "'m", "'Ll", "'l", "'d", "'", "''s");
        var spelled = Arbitraries.of(
                "the",
                " quick",
                "Brown",
                "HTTPServer",
                "camelCase",
                "don't",
                "<|start|>",
                "😀",
                "👩‍👧",
                "𝔘𝔫𝔦",
                "𞤀𞤢",
                "𝟗",
                "\u0378",
                "\uDB40\uDD00",
                "  ",
                "\0",
                "\0\0\0\0\0\0\0\0abc",
                "supercalifragilisticexpialidocious");
        return Arbitraries.frequencyOf(
                        Tuple.of(2, any),
                        Tuple.of(1, surrogates),
                        Tuple.of(4, spaces),
                        Tuple.of(4, words),
                        Tuple.of(2, contractions),
                        Tuple.of(4, spelled))
                .list()
                .ofMaxSize(12)
                .map(parts -> String.join("", parts));
    }

    /// Longer than one window: bytes of few and of many kinds, and tokens glued together.
    @Provide
    Arbitrary<byte[]> longPieces() {
        var length = Arbitraries.integers().between(LongPiece.WINDOW - 5, 3 * LongPiece.WINDOW);
        var alphabet = Arbitraries.of("a", "ab", "aab=", "etaoinshr", "abcdefghijklmnopqrstuvwxyz", "- =", "的是在一");
        var random = Arbitraries.randoms();
        var letters = length.flatMap(size -> alphabet.flatMap(kinds -> random.map(dice -> {
            var piece = kinds.getBytes(StandardCharsets.UTF_8);
            var bytes = new byte[size];
            for (int i = 0; i < size; i++) {
                bytes[i] = piece[dice.nextInt(piece.length)];
            }
            return bytes;
        })));
        var tokens = length.flatMap(size -> random.map(dice -> {
            var bytes = new ByteArrayOutputStream();
            int rarest = 1 << 8 + dice.nextInt(10);
            while (bytes.size() < size) {
                bytes.writeBytes(TOKENIZER.bytes(dice.nextInt(Math.min(rarest, SpecialTokens.FIRST))));
            }
            return bytes.toByteArray();
        }));
        return Arbitraries.oneOf(letters, tokens);
    }
}
