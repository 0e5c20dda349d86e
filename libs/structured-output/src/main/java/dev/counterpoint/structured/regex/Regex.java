package dev.counterpoint.structured.regex;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A regular expression over bytes, which is also the state of an automaton: [#step] gives what must follow a byte.
/// Equal expressions of one [RegexPool] are one object. Thread-safe.
public final class Regex {
    /// Instead of a maximum: any number.
    public static final int UNBOUNDED = Integer.MAX_VALUE;

    enum Kind {
        NOTHING,
        EMPTY,
        BYTES,
        CONCAT,
        OR,
        AND,
        NOT,
        REPEAT
    }

    enum Liveness {
        UNKNOWN,
        LIVE,
        DEAD
    }

    /// What an expression is made of.
    ///
    /// @param parts two of a concatenation, one of NOT and REPEAT, two or more of OR and AND
    /// @param min least number of repetitions
    /// @param max greatest number of repetitions, or [#UNBOUNDED]
    record Shape(Kind kind, ByteSet bytes, List<Regex> parts, int min, int max) {
        static Shape of(Kind kind, List<Regex> parts) {
            return new Shape(kind, ByteSet.NONE, parts, 0, 0);
        }
    }

    private final RegexPool pool;
    private final int id;
    private final Shape shape;
    private final boolean nullable;
    private final boolean mayBeDead;
    /// Written once under the pool's lock; racing readers see null or the whole.
    @Nullable
    Transitions derived;

    private @Nullable Transitions live;
    private volatile Liveness liveness;

    Regex(RegexPool pool, int id, Shape shape) {
        this.pool = pool;
        this.id = id;
        this.shape = shape;
        nullable = isNullable(shape);
        mayBeDead = shape.kind == Kind.AND
                || shape.kind == Kind.NOT
                || shape.parts.stream().anyMatch(part -> part.mayBeDead);
        liveness =
                shape.kind == Kind.NOTHING ? Liveness.DEAD : nullable || !mayBeDead ? Liveness.LIVE : Liveness.UNKNOWN;
    }

    private static boolean isNullable(Shape shape) {
        return switch (shape.kind) {
            case NOTHING, BYTES -> false;
            case EMPTY -> true;
            case CONCAT, AND -> shape.parts.stream().allMatch(Regex::nullable);
            case OR -> shape.parts.stream().anyMatch(Regex::nullable);
            case NOT -> !shape.parts.getFirst().nullable;
            case REPEAT -> shape.min == 0 || shape.parts.getFirst().nullable;
        };
    }

    /// Unique within the pool; smaller ones are older.
    public int id() {
        return id;
    }

    /// The pool that made it.
    public RegexPool pool() {
        return pool;
    }

    Shape shape() {
        return shape;
    }

    Kind kind() {
        return shape.kind;
    }

    /// True if it matches the empty string.
    public boolean nullable() {
        return nullable;
    }

    /// True if nothing matches it.
    ///
    /// @throws TooComplexException when that cannot be found out in the work allowed
    public boolean isEmpty() {
        return liveness() == Liveness.DEAD;
    }

    Liveness liveness() {
        if (liveness == Liveness.UNKNOWN) {
            pool.decideLiveness(this);
        }
        return liveness;
    }

    Liveness knownLiveness() {
        return liveness;
    }

    void decide(Liveness decided) {
        liveness = decided;
    }

    /// What must follow this byte, or null when nothing that starts with it matches.
    ///
    /// @param value from 0 to 255
    /// @throws TooComplexException when that cannot be found out in the work allowed
    public @Nullable Regex step(int value) {
        return transitions().step(value);
    }

    /// The same for all bytes.
    public Transitions transitions() {
        var known = live;
        if (known == null) {
            known = pool.liveTransitions(this);
            live = known;
        }
        return known;
    }

    /// What follows a text.
    public @Nullable Regex step(byte[] text) {
        Regex state = this;
        for (int i = 0; i < text.length && state != null; i++) {
            state = state.step(text[i] & 0xff);
        }
        return state;
    }

    /// True if the whole text matches.
    public boolean matches(byte[] text) {
        var end = step(text);
        return end != null && end.nullable;
    }

    /// The same without what it excepts at its start, or itself when it excepts nothing.
    public Regex withoutExceptions() {
        return switch (shape.kind) {
            case CONCAT -> {
                var first = shape.parts.getFirst().withoutExceptions();
                yield first == shape.parts.getFirst() ? this : pool.concat(first, shape.parts.getLast());
            }
            case AND ->
                pool.and(shape.parts.stream()
                        .filter(part -> part.kind() != Kind.NOT)
                        .map(Regex::withoutExceptions)
                        .toList());
            case NOTHING, EMPTY, BYTES, OR, NOT, REPEAT -> this;
        };
    }

    /// The expression that is repeated at the start of this one with how often it may still come, or null when it
    /// does not start so.
    public @Nullable Head head() {
        var first = shape.kind == Kind.CONCAT ? shape.parts.getFirst() : this;
        if (first.kind() != Kind.REPEAT) {
            return null;
        }
        var rest = shape.kind == Kind.CONCAT ? shape.parts.getLast() : pool.empty();
        return new Head(first.shape.parts.getFirst(), first.shape.min, first.shape.max, rest);
    }

    /// An expression starts with `min` to `max` of `repeated`, then comes `rest`.
    public record Head(Regex repeated, int min, int max, Regex rest) {}

    /// For those who debug: the number, not the expression, which may be a user's.
    @Override
    public String toString() {
        return shape.kind + "#" + id;
    }
}
