package dev.counterpoint.harmony.tokenizer;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HarmonyTokenizerTest {
    private static final HarmonyTokenizer TOKENIZER = HarmonyTokenizer.shared();

    @Test
    void textThatSpellsAControlTokenIsText() {
        assertThat(TOKENIZER.encode("<|start|>")).containsExactly(27, 91, 5236, 91, 29);
    }

    @Test
    void aLoneSurrogateCountsAsTheReplacementCharacter() {
        assertThat(TOKENIZER.encode("a\uD83Db\uDC96")).isEqualTo(TOKENIZER.encode("a\uFFFDb\uFFFD"));
        assertThat(TOKENIZER.encode("\uD83D\uDC96")).containsExactly(31446, 244);
    }

    @Test
    void everyIdHasBytesAndNoOtherHas() {
        var named = IntStream.range(0, TOKENIZER.vocabularySize()).filter(id -> TOKENIZER.bytes(id).length > 0);
        assertThat(named.count()).isEqualTo(201089);
        assertThat(new String(TOKENIZER.bytes(SpecialTokens.CALL), StandardCharsets.UTF_8))
                .isEqualTo("<|call|>");
        assertThat(new String(TOKENIZER.bytes(200018), StandardCharsets.UTF_8)).isEqualTo("<|reserved_200018|>");
        assertThatIllegalArgumentException().isThrownBy(() -> TOKENIZER.bytes(201089));
        assertThatIllegalArgumentException().isThrownBy(() -> TOKENIZER.bytes(-1));
    }

    @Test
    void theCallerOwnsTheBytesOfAToken() {
        TOKENIZER.bytes(64)[0] = 'z';
        assertThat(TOKENIZER.decode(new int[] {64})).isEqualTo("a");
    }

    @Test
    void decodesAnyIds() {
        assertThat(TOKENIZER.decode(new int[] {64, -5, 200006, 9552, Integer.MAX_VALUE}))
                .isEqualTo("a\uFFFD<|start|> \uFFFD\uFFFD");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "A", " ", "\n", "9", "=", "é", "あ", "aB", "'s", " \n", "💖", "\u0301"})
    void aMegabyteOfTheSameTakesNoQuadraticTime(String unit) {
        var text = unit.repeat(1_000_000 / unit.length());
        var tokens = assertTimeout(ofSeconds(20), () -> TOKENIZER.encode(text));
        assertThat(TOKENIZER.decode(tokens)).isEqualTo(text);
    }

    @Test
    void threadsShareOneTokenizer() throws Exception {
        var text = "Fünf Wörter, 3 Sprachen; こんにちは! ".repeat(50);
        var expected = TOKENIZER.encode(text);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var runs = IntStream.range(0, 64)
                    .mapToObj(_ -> threads.submit(() -> TOKENIZER.encode(text)))
                    .toList();
            for (Future<int[]> run : runs) {
                assertThat(run.get()).isEqualTo(expected);
            }
        }
    }
}
