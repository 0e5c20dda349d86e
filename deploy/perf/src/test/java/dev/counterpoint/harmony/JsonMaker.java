package dev.counterpoint.harmony;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.util.RawValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;

/// Makes JSON values of all kinds; numbers are spelled as Python's `json` spells them.
final class JsonMaker {
    static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private static final List<String> EDGES = List.of(
            "0",
            "1",
            "-1",
            "10",
            "100000",
            "9007199254740993",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775808",
            "-9223372036854775809",
            "18446744073709551615",
            "18446744073709551616",
            "123456789012345678901234567890",
            "0.0",
            "-0.0",
            "0.1",
            "1.0",
            "-1.5",
            "100.0",
            "0.0001",
            "1e-05",
            "1e-06",
            "1e-07",
            "1.5e-07",
            "1e15",
            "1e16",
            "1e+16",
            "1.5e+16",
            "1e20",
            "1e21",
            "1e22",
            "1e23",
            "1e100",
            "5e-324",
            "2.2250738585072014e-308",
            "1E5",
            "1.50",
            "2e-3",
            "0.30000000000000004",
            "12345678.12345679",
            "1e-400");

    private JsonMaker() {}

    static JsonNode value(Dice dice, int depth) {
        if (dice.percent(2)) {
            return JSON.rawValueNode(new RawValue("{\"a\":1,\"b\":[],\"a\":{\"c\":2.50}}"));
        }
        int kind = dice.below(depth > 0 ? 9 : 7);
        return switch (kind) {
            case 0 -> JSON.nullNode();
            case 1 -> JSON.booleanNode(dice.toss());
            case 2, 3 -> number(dice);
            case 4, 5, 6 -> JSON.textNode(TextMaker.text(dice, 3));
            case 7 -> array(dice, depth);
            default -> object(dice, depth);
        };
    }

    private static JsonNode array(Dice dice, int depth) {
        var array = JSON.arrayNode();
        for (int i = dice.below(4); i > 0; i--) {
            array.add(value(dice, depth - 1));
        }
        return array;
    }

    private static JsonNode object(Dice dice, int depth) {
        var object = JSON.objectNode();
        for (int i = dice.below(4); i > 0; i--) {
            object.set(TextMaker.word(dice), value(dice, depth - 1));
        }
        return object;
    }

    static JsonNode number(Dice dice) {
        return JSON.rawValueNode(new RawValue(numberText(dice)));
    }

    static JsonNode numbers(Dice dice) {
        var numbers = JSON.arrayNode();
        for (int i = dice.below(40); i > 0; i--) {
            numbers.add(number(dice));
        }
        return numbers;
    }

    private static String numberText(Dice dice) {
        return switch (dice.below(9)) {
            case 0 -> Integer.toString(dice.between(-1000, 1000));
            case 1 -> Long.toString(dice.bits() >> dice.below(64));
            case 2 -> new BigInteger(dice.between(1, 40) * 3, new Random(dice.bits())).toString();
            case 3 -> spelled(Double.longBitsToDouble(dice.bits()));
            case 4 -> spelled((dice.bits() >> dice.between(11, 63)) / Math.pow(10, dice.between(0, 15)));
            case 5 -> spelled((dice.bits() >> dice.between(8, 63)) * Math.pow(10, dice.between(0, 25)));
            case 6 -> spelled(Math.rint(dice.between(1_000_000, 999_999_999) * 1e7 + dice.between(0, 9_999_999)));
            case 7 -> dice.between(-9, 9) + "e" + dice.between(-324, 306);
            default -> dice.of(EDGES);
        };
    }

    /// As Python writes a double: without an exponent from 1e-4 on and below 1e16.
    private static String spelled(double value) {
        // The references refuse the largest doubles now and then.
        if (!Double.isFinite(value) || Math.abs(value) > 1e307) {
            return "7.25";
        }
        if (value == 0) {
            return Double.toString(value);
        }
        var digits = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        double size = Math.abs(value);
        if (size >= 1e-4 && size < 1e16) {
            return digits.scale() <= 0 ? digits.toPlainString() + ".0" : digits.toPlainString();
        }
        var whole = digits.unscaledValue().abs().toString();
        int exponent = whole.length() - 1 - digits.scale();
        return (value < 0 ? "-" : "") + whole.charAt(0) + (whole.length() > 1 ? "." + whole.substring(1) : "") + "e"
                + (exponent < 0 ? "-" : "+") + (Math.abs(exponent) < 10 ? "0" : "") + Math.abs(exponent);
    }
}
