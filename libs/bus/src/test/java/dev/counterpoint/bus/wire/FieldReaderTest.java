package dev.counterpoint.bus.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Damaged fields are refused as what they are, and cost nothing to refuse.
class FieldReaderTest {
    @Test
    void defaultsAreNotWritten() {
        var message = new FieldWriter()
                .number(1, 0)
                .flag(2, false)
                .text(3, null)
                .bytes(4, null)
                .ids(5, new int[0]);

        assertThat(message.toBytes()).isEmpty();
    }

    @Test
    void emptyTextIsNotNoText() {
        assertThat(new FieldWriter().text(1, "").toBytes()).isNotEmpty();
    }

    @Test
    void aNumberThatDoesNotFitIsMalformed() {
        var large = new FieldWriter().number(1, 1L << 40).toBytes();

        assertMalformed(large, in -> in.small(1), "field 1 is out of range");
    }

    @Test
    void aFieldOfAnotherTypeIsMalformed() {
        var number = new FieldWriter().number(1, 5).toBytes();
        var text = new FieldWriter().text(1, "12345678").toBytes();

        assertMalformed(number, in -> in.text(1), "field 1 has another type than expected");
        assertMalformed(number, in -> in.bytes(1), "field 1 has another type than expected");
        assertMalformed(number, in -> in.ids(1), "field 1 has another type than expected");
        assertMalformed(number, in -> in.bits(1), "field 1 has another type than expected");
        assertMalformed(text, in -> in.number(1), "field 1 has another type than expected");
        assertMalformed(text, in -> in.flag(1), "field 1 has another type than expected");
        assertMalformed(text, in -> in.real(1, 0), "field 1 has another type than expected");
    }

    @Test
    void idsThatEndWithinAnIdAreMalformed() {
        var half = new FieldWriter().bytes(1, HexFormat.of().parseHex("05c8")).toBytes();

        assertMalformed(half, in -> in.ids(1), "field 1 ends within an id");
    }

    @Test
    void aLengthBeyondTheMessageIsMalformedAndAllocatesNothing() {
        // Given a field that claims two gigabytes, and one that claims a negative length
        var huge = HexFormat.of().parseHex("0affffffff07");
        var negative = HexFormat.of().parseHex("0affffffffffffffffff01");
        // Then
        assertMalformed(huge, in -> in.ids(1), "not a valid message");
        assertMalformed(huge, in -> in.bytes(1), "not a valid message");
        assertMalformed(huge, in -> in.text(1), "not a valid message");
        assertMalformed(huge, _ -> {}, "not a valid message");
        assertMalformed(negative, in -> in.ids(1), "not a valid message");
    }

    @Test
    void textThatIsNotUtf8IsMalformed() {
        var text = new FieldWriter().bytes(1, HexFormat.of().parseHex("c328")).toBytes();

        assertMalformed(text, in -> in.text(1), "not a valid message");
    }

    @Test
    void theEndOfAGroupThatNeverBeganIsMalformed() {
        assertMalformed(HexFormat.of().parseHex("0c"), _ -> {}, "not a valid message");
    }

    @Test
    void idsTakeEveryBit() {
        int[] ids = {0, 1, 127, 128, 201_087, Integer.MAX_VALUE, -1, Integer.MIN_VALUE};
        var in = new FieldReader(new FieldWriter().ids(1, ids).toBytes());

        assertThat(in.ids(1)).containsExactly(ids);
    }

    private static void assertMalformed(byte[] message, Consumer<FieldReader> read, String text) {
        assertThatThrownBy(() -> read.accept(new FieldReader(message)))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessageContaining(text);
    }

    @Test
    void ofAFieldThatStandsTwiceTheLastOneCounts() {
        var twice = new FieldWriter().number(1, 5).number(1, 6).toBytes();

        assertThat(new FieldReader(twice).number(1)).isEqualTo(6);
    }

    @Test
    void aFieldThatStandsTwiceWithTwoTypesIsMalformed() {
        var twice = new FieldWriter().number(1, 5).text(1, "five").toBytes();

        assertMalformed(twice, in -> in.text(1), "field 1 has another type than expected");
    }

    @Test
    void anIdThatIsTooLongIsMalformed() {
        var tooLong = new FieldWriter()
                .bytes(1, HexFormat.of().parseHex("8080808080808080808001"))
                .toBytes();

        assertMalformed(tooLong, in -> in.ids(1), "field 1 ends within an id");
    }

    @Test
    void theReplacementCharacterIsText() {
        var text = new FieldWriter().text(1, "a\uFFFDb").toBytes();

        assertThat(new FieldReader(text).text(1)).isEqualTo("a\uFFFDb");
    }
}
