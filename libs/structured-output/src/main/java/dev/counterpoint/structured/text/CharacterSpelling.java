package dev.counterpoint.structured.text;

import dev.counterpoint.structured.regex.ByteSet;
import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.RegexPool;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/// How one character of a set is spelled.
final class CharacterSpelling {
    private static final int ASTRAL = 0x10000;
    private static final Characters CONTROLS = Characters.range(0, 0x1f);
    private static final Characters ESCAPED = CONTROLS.or(Characters.of("\"\\"));
    private static final String SHORT = "\"\\/\b\f\n\r\t";
    private static final String SHORT_NAMES = "\"\\/bfnrt";
    private static final IntFunction<ByteSet> CONTINUATION = digit -> ByteSet.of(0x80 + digit);

    private final RegexPool pool;
    private final Spelling spelling;

    CharacterSpelling(RegexPool pool, Spelling spelling) {
        this.pool = pool;
        this.spelling = spelling;
    }

    /// One place of a number that is written with a fixed number of digits.
    private record Place(int radix, Regex before, IntFunction<ByteSet> digit) {}

    Regex of(Characters set) {
        return switch (spelling) {
            case PLAIN -> utf8(set);
            case JSON -> {
                var escaped = set.and(ESCAPED);
                yield escaped.isEmpty()
                        ? utf8(set)
                        : pool.or(
                                utf8(set.and(ESCAPED.complement())),
                                shortEscapes(escaped),
                                hexEscapes(set.and(CONTROLS)));
            }
            case JSON_ESCAPES -> pool.or(utf8(set.and(ESCAPED.complement())), shortEscapes(set), hexEscapes(set));
        };
    }

    private Regex shortEscapes(Characters set) {
        var names = ByteSet.NONE;
        for (int i = 0; i < SHORT.length(); i++) {
            if (set.contains(SHORT.charAt(i))) {
                names = names.or(ByteSet.of(SHORT_NAMES.charAt(i)));
            }
        }
        return pool.concat(pool.literal("\\"), pool.bytes(names));
    }

    private Regex utf8(Characters set) {
        return pool.or(
                digits(set, 0, places(0, 0x80)),
                digits(set, 0, places(0xc0, 32, 64)),
                digits(set, 0, places(0xe0, 16, 64, 64)),
                digits(set, 0, places(0xf0, 8, 64, 64, 64)));
    }

    /// @param lead of the first byte
    private List<Place> places(int lead, int... radices) {
        var places = new ArrayList<Place>();
        for (int radix : radices) {
            places.add(new Place(
                    radix, pool.empty(), places.isEmpty() ? digit -> ByteSet.of(lead + digit) : CONTINUATION));
        }
        return places;
    }

    private Regex hexEscapes(Characters set) {
        var hex = new Place(16, pool.empty(), CharacterSpelling::hex);
        var first = new Place(16, pool.literal("\\u"), CharacterSpelling::hex);
        var surrogate = pool.concat(pool.literal("\\u"), pool.bytes(hex(0xd)));
        var high = new Place(4, surrogate, digit -> hex(8 + digit));
        var low = new Place(4, surrogate, digit -> hex(12 + digit));
        return pool.or(
                digits(set, 0, List.of(first, hex, hex, hex)),
                digits(set, ASTRAL, List.of(high, hex, hex, low, hex, hex)));
    }

    private static ByteSet hex(int digit) {
        return ByteSet.of(Character.forDigit(digit, 16), Character.toUpperCase(Character.forDigit(digit, 16)));
    }

    /// The characters that these places can write, less what shorter spellings write.
    private Regex digits(Characters set, int offset, List<Place> places) {
        int values = places.stream().mapToInt(Place::radix).reduce(1, (a, b) -> a * b);
        boolean utf8 = places.getLast().radix == 64;
        int shortest = !utf8
                ? 0
                : switch (places.size()) {
                    case 2 -> 0x80;
                    case 3 -> 0x800;
                    default -> ASTRAL;
                };
        var ranges = new ArrayList<Integer>();
        for (int bound : set.and(
                        Characters.range(offset + shortest, Math.min(offset + values - 1, Character.MAX_CODE_POINT)))
                .bounds()) {
            ranges.add(bound - offset);
        }
        return digits(ranges, values, places);
    }

    /// @param ranges pairs of first and last value
    private Regex digits(List<Integer> ranges, int values, List<Place> places) {
        if (ranges.isEmpty()) {
            return pool.nothing();
        }
        if (places.isEmpty()) {
            return pool.empty();
        }
        var place = places.getFirst();
        int size = values / place.radix;
        Map<List<Integer>, ByteSet> byRest = new LinkedHashMap<>();
        for (int digit = 0; digit < place.radix; digit++) {
            byRest.merge(slice(ranges, digit * size, size), place.digit.apply(digit), ByteSet::or);
        }
        var rest = places.subList(1, places.size());
        return pool.or(byRest.entrySet().stream()
                .map(one -> pool.concat(place.before, pool.bytes(one.getValue()), digits(one.getKey(), size, rest)))
                .toList());
    }

    private static List<Integer> slice(List<Integer> ranges, int from, int size) {
        var slice = new ArrayList<Integer>();
        for (int i = 0; i < ranges.size(); i += 2) {
            int low = Math.max(ranges.get(i), from);
            int high = Math.min(ranges.get(i + 1), from + size - 1);
            if (low <= high) {
                slice.add(low - from);
                slice.add(high - from);
            }
        }
        return slice;
    }
}
