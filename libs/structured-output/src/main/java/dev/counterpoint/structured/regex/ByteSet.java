package dev.counterpoint.structured.regex;

/// An immutable set of bytes, as 256 bits: `a` has the bytes 0 to 63, `b` 64 to 127, and so on.
public record ByteSet(long a, long b, long c, long d) {
    private static final int WORD = 64;

    /// No byte.
    public static final ByteSet NONE = new ByteSet(0, 0, 0, 0);

    /// Every byte.
    public static final ByteSet ALL = NONE.complement();

    public static ByteSet of(int... bytes) {
        var set = NONE;
        for (int value : bytes) {
            set = set.or(range(value, value));
        }
        return set;
    }

    /// @param from from 0 to 255
    /// @param to included
    public static ByteSet range(int from, int to) {
        return new ByteSet(
                word(from, to), word(from - 64, to - 64), word(from - 128, to - 128), word(from - 192, to - 192));
    }

    private static long word(int from, int to) {
        int low = Math.max(from, 0);
        int high = Math.min(to, WORD - 1);
        return low > high ? 0 : -1L >>> (WORD - 1 - high) & -1L << low;
    }

    public ByteSet or(ByteSet other) {
        return new ByteSet(a | other.a, b | other.b, c | other.c, d | other.d);
    }

    public ByteSet and(ByteSet other) {
        return new ByteSet(a & other.a, b & other.b, c & other.c, d & other.d);
    }

    public ByteSet complement() {
        return new ByteSet(~a, ~b, ~c, ~d);
    }

    /// @param value from 0 to 255
    public boolean contains(int value) {
        long word = switch (value >>> 6) {
            case 0 -> a;
            case 1 -> b;
            case 2 -> c;
            default -> d;
        };
        return (word >>> value & 1) != 0;
    }

    public boolean isEmpty() {
        return (a | b | c | d) == 0;
    }
}
