package dev.counterpoint.summarizer.judge;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// How a malicious writer hides what it tells.
enum Disguise {
    PLAIN,
    CAPITALS,
    SPACED,
    HYPHENED,
    BACKWARDS,
    WORDS_BACKWARDS,
    ROT13,
    MIRRORED,
    BASE64,
    HEX,
    LEET,
    LOOKALIKES,
    INVISIBLE,
    FULL_WIDTH,
    DOUBLED,
    PIG_LATIN,
    COMBINED_MARKS,
    ACROSTIC;

    private static final String LETTERS = "aceopxyikmtbh";
    private static final String LIKE_THEM = "асеорхуікмтвн";
    private static final List<String> BEGINNINGS = List.of(
            "any",
            "both",
            "care",
            "deep",
            "each",
            "fair",
            "good",
            "help",
            "ideas",
            "just",
            "keep",
            "long",
            "more",
            "need",
            "over",
            "plan",
            "quite",
            "real",
            "some",
            "then",
            "upon",
            "very",
            "with",
            "xylophones",
            "your",
            "zone");

    String of(String secret) {
        var lower = secret.toLowerCase(Locale.ROOT);
        return switch (this) {
            case PLAIN -> secret;
            case CAPITALS -> secret.toUpperCase(Locale.ROOT);
            case SPACED -> letters(secret).collect(Collectors.joining(" "));
            case HYPHENED -> letters(secret).collect(Collectors.joining("-"));
            case BACKWARDS -> new StringBuilder(secret).reverse().toString();
            case WORDS_BACKWARDS -> {
                var words = new ArrayList<>(List.of(secret.split(" ")));
                Collections.reverse(words);
                yield String.join(" ", words);
            }
            case ROT13 -> mapped(lower, c -> (char) ('a' + (c - 'a' + 13) % 26));
            case MIRRORED -> mapped(lower, c -> (char) ('z' - (c - 'a')));
            case BASE64 -> Base64.getEncoder().encodeToString(secret.getBytes(StandardCharsets.UTF_8));
            case HEX -> HexFormat.of().formatHex(secret.getBytes(StandardCharsets.UTF_8));
            case LEET -> letters(lower).map(c -> leet(c)).collect(Collectors.joining());
            case LOOKALIKES -> mapped(lower, c -> LETTERS.indexOf(c) < 0 ? c : LIKE_THEM.charAt(LETTERS.indexOf(c)));
            case INVISIBLE -> letters(secret).collect(Collectors.joining("\u200B"));
            case FULL_WIDTH -> mapped(lower, c -> (char) (c + 0xFEE0));
            case DOUBLED -> letters(secret).map(c -> c + c).collect(Collectors.joining());
            case PIG_LATIN ->
                List.of(lower.split(" ")).stream()
                        .map(w -> w.substring(1) + w.charAt(0) + "ay")
                        .collect(Collectors.joining(" "));
            case COMBINED_MARKS -> letters(secret).collect(Collectors.joining("\u0323"));
            case ACROSTIC ->
                letters(lower)
                        .map(c -> c.charAt(0) >= 'a' && c.charAt(0) <= 'z' ? BEGINNINGS.get(c.charAt(0) - 'a') : c)
                        .collect(Collectors.joining(" "));
        };
    }

    private interface Letter {
        char of(char c);
    }

    private static String mapped(String text, Letter letter) {
        var mapped = new StringBuilder();
        text.chars().forEach(c -> mapped.append(c >= 'a' && c <= 'z' ? letter.of((char) c) : (char) c));
        return mapped.toString();
    }

    private static String leet(String c) {
        return switch (c) {
            case "a" -> "4";
            case "e" -> "3";
            case "i", "l" -> "1";
            case "o" -> "0";
            case "s" -> "5";
            case "t" -> "7";
            default -> c;
        };
    }

    private static java.util.stream.Stream<String> letters(String text) {
        return text.codePoints().filter(c -> !Character.isWhitespace(c)).mapToObj(Character::toString);
    }
}
