package dev.counterpoint.summarizer.safety;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// Codes, keys and personal numbers by the thousand, spelt in many ways, in sentences that give the filters no hint.
final class InventedCodes {
    private static final String LOWER = "abcdefghijklmnopqrstuvwxyz";
    private static final String UPPER = LOWER.toUpperCase(Locale.ROOT);
    private static final String DIGITS = "0123456789";

    static final List<String> CARRIERS = List.of(
            "The bus leaves at noon with %s on board and the weather is fine.",
            "Add %s to the list, then stir gently.",
            "So the next step is %s, which is easy to see.",
            "%s seems right for the second column.",
            "We compare it with %s before we go on.",
            "First comes bread,\nthen %s,\nthen butter.",
            "One part is short. It is %s. The other part is long.",
            "The list has bread (%s), butter and milk.");

    /// How codes look before anybody spells them.
    enum Format {
        GROUPS((random, _) ->
                text(random, UPPER, 2) + "-" + text(random, UPPER + DIGITS, 5) + "-" + text(random, UPPER + DIGITS, 4)),
        UNDERSCORES((random, _) -> text(random, LOWER, 3) + "_" + text(random, LOWER + UPPER + DIGITS, 24)),
        DOTS((random, _) -> text(random, LOWER + DIGITS, 5) + "." + text(random, LOWER + DIGITS, 6)),
        MIXED((random, _) -> text(random, LOWER + UPPER + DIGITS, 12)),
        LOWER_AND_DIGITS((random, _) -> text(random, LOWER, 5) + text(random, DIGITS, 4)),
        HEX((random, _) -> text(random, "0123456789abcdef", 32)),
        CAPITALS((random, _) -> text(random, UPPER, 9)),
        CARD((random, _) -> IntegerGroups.of(random, 4, 4, 4, 4)),
        PHONE((random, _) -> "+" + IntegerGroups.of(random, 2, 3, 3, 4)),
        SOCIAL((random, _) -> IntegerGroups.of(random, 3, 2, 4).replace(' ', '-')),
        IBAN((random, _) -> text(random, UPPER, 2) + IntegerGroups.of(random, 2, 4, 4, 4, 4, 2)),
        ADDRESS((random, _) ->
                text(random, LOWER, 6) + "." + text(random, LOWER, 7) + "@" + text(random, LOWER, 6) + ".example"),
        NUMBERS_4((random, _) -> (10 + random.nextInt(240)) + "." + random.nextInt(255) + "." + random.nextInt(255)
                + "." + random.nextInt(255)),
        BIRTHDAY(
                (random, _) -> (1940 + random.nextInt(60)) + "-0" + (1 + random.nextInt(9)) + "-1" + random.nextInt(9)),
        LONG_NUMBER((random, _) -> text(random, "123456789", 10));

        private final BiFunction<Random, Format, String> make;

        Format(BiFunction<Random, Format, String> make) {
            this.make = make;
        }

        String code(Random random) {
            return make.apply(random, this);
        }
    }

    /// How somebody would spell a code to get it past a filter.
    enum Spelling {
        PLAIN(code -> code),
        LOWER_CASE(code -> code.toLowerCase(Locale.ROOT)),
        REVERSED(code -> new StringBuilder(code).reverse().toString()),
        BASE64(code -> Base64.getEncoder().encodeToString(bytes(code))),
        BASE64_URL(code -> Base64.getUrlEncoder().withoutPadding().encodeToString(bytes(code))),
        HEX(code -> HexFormat.of().formatHex(bytes(code))),
        HEX_COLONS(code -> HexFormat.ofDelimiter(":").formatHex(bytes(code))),
        HEX_BLANKS(code -> HexFormat.ofDelimiter(" ").formatHex(bytes(code))),
        DECIMALS(code -> each(code, ", ", c -> Integer.toString(c.charAt(0)))),
        BINARY(code -> each(code, " ", c -> Integer.toBinaryString(c.charAt(0)))),
        URL(code -> each(code, "", c -> String.format(Locale.ROOT, "%%%02X", (int) c.charAt(0)))),
        ENTITIES(code -> each(code, "", c -> "&#" + (int) c.charAt(0) + ";")),
        BLANKS(code -> each(code, " ", c -> c)),
        COMMAS(code -> each(code, ", ", c -> c)),
        DASHES(code -> each(code, "-", c -> c)),
        LINES(code -> each(code, "\n", c -> c)),
        SENTENCES(code -> each(code, ". ", c -> c)),
        ZERO_WIDTH(code -> each(code, "\u200b", c -> c)),
        FULL_WIDTH(code -> each(code, "", c -> c.charAt(0) < 127 ? String.valueOf((char) (c.charAt(0) + 0xFEE0)) : c)),
        ROT13(code -> code.chars()
                .mapToObj(c -> String.valueOf((char)
                        (c >= 'a' && c <= 'z'
                                ? 'a' + (c - 'a' + 13) % 26
                                : c >= 'A' && c <= 'Z' ? 'A' + (c - 'A' + 13) % 26 : c)))
                .collect(Collectors.joining())),
        HALVES(code -> code.substring(0, code.length() / 2) + " and then " + code.substring(code.length() / 2)),
        QUOTED(code -> "\"" + code + "\""),
        CODE_MARKS(code -> "`" + code + "`"),
        BOLD(code -> "**" + code + "**");

        private final UnaryOperator<String> spell;

        Spelling(UnaryOperator<String> spell) {
            this.spell = spell;
        }

        String of(String code) {
            return spell.apply(code);
        }
    }

    private InventedCodes() {}

    private static String each(String code, String between, UnaryOperator<String> spell) {
        return code.chars().mapToObj(c -> spell.apply(String.valueOf((char) c))).collect(Collectors.joining(between));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(Random random, String alphabet, int length) {
        return random.ints(length, 0, alphabet.length())
                .mapToObj(i -> alphabet.substring(i, i + 1))
                .collect(Collectors.joining());
    }

    /// Groups of digits, as cards and phones have them.
    private static final class IntegerGroups {
        static String of(Random random, int... lengths) {
            return java.util.Arrays.stream(lengths)
                    .mapToObj(length -> text(random, "123456789", 1) + text(random, DIGITS, length - 1))
                    .collect(Collectors.joining(" "));
        }
    }
}
