package dev.counterpoint.bus.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Damaged fields are refused as what they are, and cost nothing to refuse.
class FieldsTest {
    @Test
    void defaultsAreNotWritten() {
        var message = new Fields.Writer()
                .number(1, 0)
                .flag(2, false)
                .text(3, null)
                .bytes(4, null)
                .ids(5, new int[0]);

        assertThat(message.toBytes()).isEmpty();
    }

    @Test
    void emptyTextIsNotNoText() {
        assertThat(new Fields.Writer().text(1, "").toBytes()).isNotEmpty();
    }

    @Test
    void aNumberThatDoesNotFitIsMalformed() {
        var large = new Fields.Writer().number(1, 1L << 40).toBytes();

        assertMalformed(large, Fields.Reader::small, "field 1 is out of range");
    }

    @Test
    void aFieldOfAnotherTypeIsMalformed() {
        var number = new Fields.Writer().number(1, 5).toBytes();
        var text = new Fields.Writer().text(1, "12345678").toBytes();

        assertMalformed(number, Fields.Reader::text, "field 1 has another type than expected");
        assertMalformed(number, Fields.Reader::bytes, "field 1 has another type than expected");
        assertMalformed(number, Fields.Reader::ids, "field 1 has another type than expected");
        assertMalformed(number, Fields.Reader::bits, "field 1 has another type than expected");
        assertMalformed(text, Fields.Reader::number, "field 1 has another type than expected");
        assertMalformed(text, Fields.Reader::flag, "field 1 has another type than expected");
        assertMalformed(text, Fields.Reader::real, "field 1 has another type than expected");
    }

    @Test
    void idsThatEndWithinAnIdAreMalformed() {
        var half = new Fields.Writer().bytes(1, HexFormat.of().parseHex("05c8")).toBytes();

        assertMalformed(half, Fields.Reader::ids, "field 1 ends within an id");
    }

    @Test
    void aLengthBeyondTheMessageIsMalformedAndAllocatesNothing() {
        // Given a field that claims two gigabytes, and one that claims a negative length
        var huge = HexFormat.of().parseHex("0affffffff07");
        var negative = HexFormat.of().parseHex("0affffffffffffffffff01");
        // Then
        assertMalformed(huge, Fields.Reader::ids, "not a valid message");
        assertMalformed(huge, Fields.Reader::bytes, "not a valid message");
        assertMalformed(huge, Fields.Reader::text, "not a valid message");
        assertMalformed(huge, Fields.Reader::skip, "not a valid message");
        assertMalformed(negative, Fields.Reader::ids, "not a valid message");
    }

    @Test
    void textThatIsNotUtf8IsMalformed() {
        var text = new Fields.Writer().bytes(1, HexFormat.of().parseHex("c328")).toBytes();

        assertMalformed(text, Fields.Reader::text, "not a valid message");
    }

    @Test
    void theEndOfAGroupThatNeverBeganIsMalformed() {
        assertMalformed(HexFormat.of().parseHex("0c"), Fields.Reader::skip, "not a valid message");
    }

    @Test
    void idsTakeEveryBit() {
        int[] ids = {0, 1, 127, 128, 201_087, Integer.MAX_VALUE, -1, Integer.MIN_VALUE};
        var in = new Fields.Reader(new Fields.Writer().ids(1, ids).toBytes());
        in.next();

        assertThat(in.ids()).containsExactly(ids);
    }

    private static void assertMalformed(byte[] message, Consumer<Fields.Reader> read, String text) {
        var in = new Fields.Reader(message);
        in.next();
        assertThatThrownBy(() -> read.accept(in))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessageContaining(text);
    }
}
