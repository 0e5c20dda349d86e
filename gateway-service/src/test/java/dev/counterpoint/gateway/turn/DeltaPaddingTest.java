package dev.counterpoint.gateway.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.openai.json.WireJson;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeltaPaddingTest {
    private static final ResponseId ID = new ResponseId(1_790_000_000_123L, 5, 0x1234_5678_9ABC_DEFL, 42);

    @Test
    void whatADeltaSaysFillsWholeBlocks() {
        var padding = new DeltaPadding(ID);

        for (int bytes = 0; bytes < 3 * DeltaPadding.BLOCK; bytes++) {
            var pad = padding.of(bytes, bytes);
            assertThat((bytes + pad.length()) % DeltaPadding.BLOCK).isZero();
            assertThat(pad).hasSizeLessThan(DeltaPadding.BLOCK).matches("[A-Za-z0-9_-]*");
        }
    }

    @Test
    void eachDeltaOfEachResponseHasItsOwnAndItIsTheSameWhenAskedAgain() {
        // Given
        var padding = new DeltaPadding(ID);
        var others = new HashSet<String>();

        // When
        for (long number = 0; number < 1_000; number++) {
            others.add(padding.of(number, 1));
            others.add(new DeltaPadding(new ResponseId(ID.acceptedAtMillis(), 5, ID.high(), number + 43)).of(0, 1));
        }

        // Then
        assertThat(others).hasSize(2_000);
        assertThat(new DeltaPadding(ID).of(7, 1)).isEqualTo(padding.of(7, 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "\"\\\b\t\n\f\r", "\u0000\u0001\u001f\u007f", "é€\ud83d\ude00", "/"})
    void theSizeOfATextIsThatOnTheWire(String text) {
        assertThat(DeltaPadding.size(text)).isEqualTo(WireJson.writeBytes(text).length - 2);
        assertThat(DeltaPadding.size(List.of(text))).isEqualTo(WireJson.writeBytes(List.of(text)).length);
    }
}
