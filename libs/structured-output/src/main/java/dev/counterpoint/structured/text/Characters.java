package dev.counterpoint.structured.text;

import java.util.Arrays;
import java.util.function.IntPredicate;

/// An immutable set of characters. A character is a Unicode code point that is no surrogate.
public final class Characters {
    private static final int SURROGATES = Character.MIN_SURROGATE;
    private static final int AFTER_SURROGATES = Character.MAX_SURROGATE + 1;

    /// No character.
    public static final Characters NONE = new Characters(new int[0]);

    /// Every character.
    public static final Characters ALL = range(0, Character.MAX_CODE_POINT);

    /// Pairs of the first and the last character of a range, in order and with gaps between them.
    private final int[] bounds;

    private Characters(int[] bounds) {
        this.bounds = bounds;
    }

    public static Characters of(int... codePoints) {
        var sorted = codePoints.clone();
        Arrays.sort(sorted);
        var ranges = new Ranges();
        for (int codePoint : sorted) {
            ranges.add(codePoint, codePoint);
        }
        return ranges.done();
    }

    /// The characters of a text.
    public static Characters of(String text) {
        return of(text.codePoints().toArray());
    }

    /// @param to included
    public static Characters range(int from, int to) {
        var ranges = new Ranges();
        ranges.add(from, to);
        return ranges.done();
    }

    /// Takes a look at every character there is: keep the result.
    public static Characters matching(IntPredicate test) {
        var ranges = new Ranges();
        for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint++) {
            if (test.test(codePoint)) {
                ranges.add(codePoint, codePoint);
            }
        }
        return ranges.done();
    }

    public Characters or(Characters other) {
        var ranges = new Ranges();
        int i = 0;
        int j = 0;
        while (i < bounds.length || j < other.bounds.length) {
            boolean mine = j == other.bounds.length || i < bounds.length && bounds[i] <= other.bounds[j];
            if (mine) {
                ranges.add(bounds[i], bounds[i + 1]);
                i += 2;
            } else {
                ranges.add(other.bounds[j], other.bounds[j + 1]);
                j += 2;
            }
        }
        return ranges.done();
    }

    public Characters and(Characters other) {
        var ranges = new Ranges();
        int i = 0;
        int j = 0;
        while (i < bounds.length && j < other.bounds.length) {
            int from = Math.max(bounds[i], other.bounds[j]);
            int to = Math.min(bounds[i + 1], other.bounds[j + 1]);
            if (from <= to) {
                ranges.add(from, to);
            }
            if (bounds[i + 1] < other.bounds[j + 1]) {
                i += 2;
            } else {
                j += 2;
            }
        }
        return ranges.done();
    }

    /// All characters that are not in this set.
    public Characters complement() {
        var ranges = new Ranges();
        int next = 0;
        for (int i = 0; i < bounds.length; i += 2) {
            ranges.add(next, bounds[i] - 1);
            next = bounds[i + 1] + 1;
        }
        ranges.add(next, Character.MAX_CODE_POINT);
        return ranges.done();
    }

    public boolean contains(int codePoint) {
        int at = Arrays.binarySearch(bounds, codePoint);
        return at >= 0 || (-at - 1) % 2 == 1;
    }

    public boolean isEmpty() {
        return bounds.length == 0;
    }

    /// The number of characters.
    public int size() {
        int size = 0;
        for (int i = 0; i < bounds.length; i += 2) {
            size += bounds[i + 1] - bounds[i] + 1;
        }
        return size;
    }

    /// Pairs of the first and the last character of a range, in order and with gaps between them.
    int[] bounds() {
        return bounds.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Characters characters && Arrays.equals(bounds, characters.bounds);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bounds);
    }

    @Override
    public String toString() {
        return size() + " characters";
    }

    /// Joins ranges that come in the order of their first character, and leaves surrogates out.
    private static final class Ranges {
        private int[] bounds = new int[8];
        private int length;

        void add(int from, int to) {
            if (from < SURROGATES && to >= AFTER_SURROGATES) {
                add(from, SURROGATES - 1);
                add(AFTER_SURROGATES, to);
                return;
            }
            int first = from >= SURROGATES && from < AFTER_SURROGATES ? AFTER_SURROGATES : from;
            int last = to >= SURROGATES && to < AFTER_SURROGATES ? SURROGATES - 1 : to;
            if (first > last) {
                return;
            }
            if (length > 0 && first <= bounds[length - 1] + 1) {
                bounds[length - 1] = Math.max(bounds[length - 1], last);
                return;
            }
            if (length == bounds.length) {
                bounds = Arrays.copyOf(bounds, 2 * length);
            }
            bounds[length++] = first;
            bounds[length++] = last;
        }

        Characters done() {
            return new Characters(Arrays.copyOf(bounds, length));
        }
    }
}
