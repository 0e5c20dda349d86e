package dev.counterpoint.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseIdTest {
    @Test
    void tellsWhenItWasAcceptedAndWhereItsLogIs() {
        // Given
        var id = new ResponseId((1L << 48) - 1, 65_535, -1, Long.MIN_VALUE);
        // When
        var read = ResponseId.parse(id.toString());
        // Then
        assertThat(id.toString()).hasSize(48).isEqualTo("ffffffffffffffff" + "ffffffffffffffff" + "8000000000000000");
        assertThat(read).contains(id);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "00000000000000000000000000000000000000000000000g",
                "00000000000000000000000000000000000000000000000A",
                "0000000000000000000000000000000000000000000000000",
                "٠00000000000000000000000000000000000000000000000"
            })
    void anythingElseThan48LowerCaseHexadecimalDigitsIsNoId(String text) {
        assertThat(ResponseId.parse(text)).isEmpty();
    }

    @Test
    void theBinaryIdIsReadBack() {
        var id = new ResponseId((1L << 48) - 1, 0xFFFE, Long.MIN_VALUE, -1);
        var framed = new byte[ResponseId.BYTES + 2];
        System.arraycopy(id.bytes(), 0, framed, 1, ResponseId.BYTES);

        assertThat(ResponseId.read(framed, 1)).isEqualTo(id);
    }

    @Test
    void twoIdsOfOneMomentDiffer() {
        assertThat(ResponseId.create(1, 2)).isNotEqualTo(ResponseId.create(1, 2));
    }

    @Test
    void refusesWhatDoesNotFitIntoAnId() {
        assertThatThrownBy(() -> new ResponseId(-1, 0, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ResponseId(1L << 48, 0, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ResponseId(0, 1 << 16, 0, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
