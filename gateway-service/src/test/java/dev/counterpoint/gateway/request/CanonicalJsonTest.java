package dev.counterpoint.gateway.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The examples are those of RFC 8785.
class CanonicalJsonTest {
    @Test
    void membersAreInOrderAndTextsHaveTheirShortestForm() {
        assertThat(CanonicalJson.ofText("""
                {"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
                 "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/", "literals": [null, true, false]}
                """))
                .isEqualTo("{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
                        + "\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
    }

    @Test
    void namesAreSortedByCodeUnits() {
        assertThat(CanonicalJson.ofText("""
                {"\\u20ac":1,"\\r":2,"\\ufb33":3,"1":4,"\\ud83d\\ude00":5,"\\u0080":6,"\\u00f6":7,"":[],"o":{}}"""))
                .isEqualTo("{\"\":[],\"\\r\":2,\"1\":4,\"o\":{},\"\u0080\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\ufb33\":3}");
    }

    @ParameterizedTest
    @CsvSource({
        "0000000000000000, 0",
        "8000000000000000, 0",
        "0000000000000001, 5e-324",
        "8000000000000001, -5e-324",
        "7fefffffffffffff, 1.7976931348623157e+308",
        "4340000000000000, 9007199254740992",
        "4430000000000000, 295147905179352830000",
        "44b52d02c7e14af5, 9.999999999999997e+22",
        "44b52d02c7e14af6, 1e+23",
        "44b52d02c7e14af7, 1.0000000000000001e+23",
        "444b1ae4d6e2ef4e, 999999999999999700000",
        "444b1ae4d6e2ef50, 1e+21",
        "3eb0c6f7a0b5ed8c, 9.999999999999997e-7",
        "3eb0c6f7a0b5ed8d, 0.000001",
        "41b3de4355555553, 333333333.3333332",
        "becbf647612f3696, -0.0000033333333333333333",
        "43143ff3c1cb0959, 1424953923781206.2"
    })
    void numbersAreThoseOfEcmaScript(String bits, String expected) {
        assertThat(CanonicalJson.number(Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16))))
                .isEqualTo(expected);
    }

    @Test
    void aNumberIsReadBackAsItself() {
        new Random(45)
                .longs(10_000)
                .mapToDouble(Double::longBitsToDouble)
                .filter(Double::isFinite)
                .forEach(value -> assertThat(Double.parseDouble(CanonicalJson.number(value)))
                        .isEqualTo(value));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"{\"a\":1,\"a\":2}", "{", "x", "``", "1 2"})
    void whatIsNoJsonStaysAsItIs(String text) {
        assertThat(CanonicalJson.ofText(text)).isEqualTo(text);
    }
}
