package dev.counterpoint.local.canary;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// How a secret may be written down.
enum Form {
    UTF_8_TEXT(new Text(text -> text.getBytes(UTF_8))),
    LOWER_CASE(new Text(text -> text.toLowerCase(Locale.ROOT).getBytes(UTF_8))),
    UPPER_CASE(new Text(text -> text.toUpperCase(Locale.ROOT).getBytes(UTF_8))),
    UTF_16_LITTLE_ENDIAN(new Text(text -> text.getBytes(UTF_16LE))),
    UTF_16_BIG_ENDIAN(new Text(text -> text.getBytes(UTF_16BE))),
    JSON_ESCAPED(new Text(text -> escaped(text, "\\u%04x"))),
    JSON_ESCAPED_UPPER_CASE(new Text(text -> escaped(text, "\\u%04X"))),
    HEX(new Text(text -> HexFormat.of().formatHex(text.getBytes(UTF_8)).getBytes(UTF_8))),
    HEX_UPPER_CASE(new Text(text ->
            HexFormat.of().withUpperCase().formatHex(text.getBytes(UTF_8)).getBytes(UTF_8))),
    BASE64(new Sixes(text -> Base64.getEncoder().encode(text))),
    BASE64_URL(new Sixes(text -> Base64.getUrlEncoder().withoutPadding().encode(text))),
    TOKENS_VARINT(new Tokens(Form::varints, true)),
    TOKENS_INT32_LITTLE_ENDIAN(new Tokens(tokens -> integers(tokens, ByteOrder.LITTLE_ENDIAN), false)),
    TOKENS_INT32_BIG_ENDIAN(new Tokens(tokens -> integers(tokens, ByteOrder.BIG_ENDIAN), false)),
    TOKENS_COMMA(new Listed(",")),
    TOKENS_COMMA_BLANK(new Listed(", ")),
    TOKENS_LINES(new Listed("\n"));

    /// What to look for.
    ///
    /// @param words those that it shows, as bits
    /// @param faint a single word or id, which other bytes hold now and then: counts only with others
    record Needle(byte[] bytes, int words, boolean faint) {}

    private sealed interface Writing {}

    /// Each character by itself.
    private record Text(ToBytes<String> write) implements Writing {}

    /// Each three bytes by themselves.
    private record Sixes(UnaryOperator<byte[]> write) implements Writing {}

    /// Ids as bytes.
    ///
    /// @param measured whether a single id has its length before it
    private record Tokens(ToBytes<List<Integer>> write, boolean measured) implements Writing {}

    /// Ids as decimal numbers.
    private record Listed(String between) implements Writing {}

    private interface ToBytes<T> {
        byte[] of(T value);
    }

    private final Writing writing;

    Form(Writing writing) {
        this.writing = writing;
    }

    /// Whether it writes token ids as bytes.
    boolean isOfIds() {
        return writing instanceof Tokens;
    }

    /// All of the secret in this form, as a leak would write it.
    byte[] leak(Canary canary) {
        return switch (writing) {
            case Text(var write) -> write.of(canary.phrase());
            case Sixes(var write) -> write.apply(canary.phrase().getBytes(UTF_8));
            case Tokens(var write, var _) -> write.of(canary.tokens());
            case Listed(var between) -> listed(canary.tokens(), between);
        };
    }

    /// Every two neighbours, and every word alone as a faint one.
    List<Needle> needles(Canary canary) {
        var needles = new ArrayList<Needle>();
        for (int at = 0; at < Canary.WORDS; at++) {
            int word = 1 << at;
            alone(canary, at).forEach(alone -> needles.add(new Needle(alone, word, true)));
            if (at > 0) {
                neighbours(canary, at).forEach(pair -> needles.add(new Needle(pair, word | word >> 1, false)));
            }
        }
        return needles;
    }

    private List<byte[]> alone(Canary canary, int at) {
        var word = canary.words().get(at);
        return switch (writing) {
            case Text(var write) -> List.of(write.of(word));
            case Sixes(var write) -> aligned(write, word.getBytes(UTF_8));
            case Tokens(var write, var measured) -> {
                byte[] id = write.of(List.of(canary.tokens().get(at)));
                yield List.of(measured ? prefixed(id) : id);
            }
            // Six digits are everywhere.
            case Listed _ -> List.of();
        };
    }

    /// This word and the one before it.
    private List<byte[]> neighbours(Canary canary, int at) {
        var words = String.join(" ", canary.words().subList(at - 1, at + 1));
        var tokens = canary.tokens().subList(at - 1, at + 1);
        return switch (writing) {
            case Text(var write) -> List.of(write.of(words));
            case Sixes(var write) -> aligned(write, words.getBytes(UTF_8));
            case Tokens(var write, var _) -> List.of(write.of(tokens));
            case Listed(var between) -> List.of(listed(tokens, between));
        };
    }

    private static List<byte[]> aligned(UnaryOperator<byte[]> write, byte[] text) {
        return IntStream.range(0, 3)
                .mapToObj(before -> aligned(write, before, text))
                .toList();
    }

    /// The characters that depend on nothing around the word when so many bytes of a group of three stand before it.
    private static byte[] aligned(UnaryOperator<byte[]> write, int before, byte[] word) {
        byte[] shifted = new byte[before + word.length];
        System.arraycopy(word, 0, shifted, before, word.length);
        return Arrays.copyOfRange(write.apply(shifted), (before * 8 + 5) / 6, shifted.length * 8 / 6);
    }

    private static byte[] prefixed(byte[] id) {
        return ByteBuffer.allocate(1 + id.length).put((byte) id.length).put(id).array();
    }

    private static byte[] listed(List<Integer> tokens, String between) {
        return tokens.stream()
                .map(String::valueOf)
                .collect(Collectors.joining(between))
                .getBytes(UTF_8);
    }

    private static byte[] escaped(String text, String format) {
        return text.chars()
                .mapToObj(letter -> String.format(Locale.ROOT, format, letter))
                .collect(Collectors.joining())
                .getBytes(UTF_8);
    }

    private static byte[] varints(List<Integer> tokens) {
        var out = new ByteArrayOutputStream();
        for (int token : tokens) {
            int rest = token;
            for (; rest > 0x7F; rest >>>= 7) {
                out.write(rest & 0x7F | 0x80);
            }
            out.write(rest);
        }
        return out.toByteArray();
    }

    private static byte[] integers(List<Integer> tokens, ByteOrder order) {
        var out = ByteBuffer.allocate(tokens.size() * Integer.BYTES).order(order);
        tokens.forEach(out::putInt);
        return out.array();
    }
}
