package dev.counterpoint.structured.regex;

import dev.counterpoint.structured.regex.Regex.Kind;
import dev.counterpoint.structured.regex.Regex.Shape;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// Creates expressions and keeps them: equal expressions are one object, and results about one serve all its users,
/// whatever their grammar. The pool grows with use: see [#shared]. Thread-safe.
public final class RegexPool {
    private static final int SHARED_MAX = 100_000;
    private static final int REMEMBERED_MAX = 10_000;
    private static RegexPool shared = new RegexPool();

    private final Map<Shape, Regex> all = new HashMap<>();
    private final Map<Object, Regex> remembered = new HashMap<>();
    private final Derivation derivation = new Derivation(this);
    private final Alternatives alternatives = new Alternatives(this);
    private final Regex nothing = intern(Shape.of(Kind.NOTHING, List.of()));
    private final Regex empty = intern(Shape.of(Kind.EMPTY, List.of()));
    private final Regex anything =
            intern(new Shape(Kind.REPEAT, ByteSet.NONE, List.of(bytes(ByteSet.ALL)), 0, Regex.UNBOUNDED));

    /// The pool of this process. One that has grown to its limit is replaced: it lives on with the grammars that
    /// use it.
    public static synchronized RegexPool shared() {
        if (shared.size() > SHARED_MAX) {
            shared = new RegexPool();
        }
        return shared;
    }

    synchronized int size() {
        return all.size();
    }

    synchronized Regex intern(Shape shape) {
        var known = all.get(shape);
        if (known == null) {
            WorkLimit.keep();
            known = new Regex(this, all.size(), shape);
            all.put(shape, known);
        }
        return known;
    }

    /// An expression that is costly to write and often needed; the pool creates it at the first request.
    ///
    /// @param key identity of the expression, by `equals`
    public Regex remembered(Object key, Supplier<Regex> make) {
        synchronized (this) {
            var known = remembered.get(key);
            if (known != null) {
                return known;
            }
        }
        var made = make.get();
        synchronized (this) {
            if (remembered.size() < REMEMBERED_MAX) {
                remembered.put(key, made);
            }
        }
        return made;
    }

    /// Matches nothing.
    public Regex nothing() {
        return nothing;
    }

    /// Matches the empty string alone.
    public Regex empty() {
        return empty;
    }

    /// Matches every string of bytes.
    public Regex anything() {
        return anything;
    }

    /// Matches one byte of the set.
    public Regex bytes(ByteSet set) {
        return set.isEmpty() ? nothing : intern(new Shape(Kind.BYTES, set, List.of(), 0, 0));
    }

    /// Matches one byte from `from` to `to`, both included.
    public Regex range(int from, int to) {
        return bytes(ByteSet.range(from, to));
    }

    /// Matches this text alone, in UTF-8.
    public Regex literal(String text) {
        return literal(text.getBytes(StandardCharsets.UTF_8));
    }

    public Regex literal(byte[] text) {
        var regex = empty;
        for (int i = text.length - 1; i >= 0; i--) {
            regex = concat(bytes(ByteSet.of(text[i] & 0xff)), regex);
        }
        return regex;
    }

    /// One after the other.
    public Regex concat(Regex... parts) {
        return concat(Arrays.asList(parts));
    }

    public Regex concat(List<Regex> parts) {
        var regex = empty;
        for (var part : parts.reversed()) {
            regex = concat(part, regex);
        }
        return regex;
    }

    /// Right-associative, so that what remains of a concatenation is one of its parts.
    private Regex concat(Regex first, Regex then) {
        if (first == nothing || then == nothing) {
            return nothing;
        }
        if (first == empty) {
            return then;
        }
        if (then == empty) {
            return first;
        }
        var heads = new ArrayList<Regex>();
        var last = first;
        while (last.kind() == Kind.CONCAT) {
            heads.add(last.shape().parts().getFirst());
            last = last.shape().parts().getLast();
        }
        var regex = intern(Shape.of(Kind.CONCAT, List.of(last, then)));
        for (var head : heads.reversed()) {
            regex = intern(Shape.of(Kind.CONCAT, List.of(head, regex)));
        }
        return regex;
    }

    /// Any of them.
    public Regex or(Regex... choices) {
        return or(Arrays.asList(choices));
    }

    public Regex or(Collection<Regex> choices) {
        return alternatives.of(choices);
    }

    /// What all of them match.
    public Regex and(Regex... parts) {
        return and(Arrays.asList(parts));
    }

    public Regex and(Collection<Regex> parts) {
        var flat = new ArrayList<Regex>();
        var set = ByteSet.ALL;
        for (var part : parts) {
            for (var member : part.kind() == Kind.AND ? part.shape().parts() : List.of(part)) {
                if (member.kind() == Kind.BYTES) {
                    set = set.and(member.shape().bytes());
                } else if (member != anything && !flat.contains(member)) {
                    flat.add(member);
                }
            }
        }
        if (!set.equals(ByteSet.ALL)) {
            return ofOneByte(set, flat);
        }
        if (flat.contains(nothing) || flat.stream().anyMatch(member -> isNot(member) && flat.contains(not(member)))) {
            return nothing;
        }
        if (flat.contains(empty)) {
            return flat.stream().allMatch(Regex::nullable) ? empty : nothing;
        }
        flat.sort((a, b) -> Integer.compare(a.id(), b.id()));
        return switch (flat.size()) {
            case 0 -> anything;
            case 1 -> flat.getFirst();
            default -> intern(Shape.of(Kind.AND, List.copyOf(flat)));
        };
    }

    private static boolean isNot(Regex regex) {
        return regex.kind() == Kind.NOT;
    }

    /// The bytes of the set that each of the others matches alone.
    private Regex ofOneByte(ByteSet set, List<Regex> others) {
        var fitting = ByteSet.NONE;
        for (int value = 0; value < Transitions.BYTES; value++) {
            if (set.contains(value) && endsAllAfter(others, value)) {
                fitting = fitting.or(ByteSet.of(value));
            }
        }
        return bytes(fitting);
    }

    private static boolean endsAllAfter(List<Regex> others, int value) {
        return others.stream().allMatch(other -> {
            var rest = other.step(value);
            return rest != null && rest.nullable();
        });
    }

    /// Every string that it does not match.
    public Regex not(Regex regex) {
        if (regex.kind() == Kind.NOT) {
            return regex.shape().parts().getFirst();
        }
        if (regex == nothing) {
            return anything;
        }
        return regex == anything ? nothing : intern(Shape.of(Kind.NOT, List.of(regex)));
    }

    /// @param min at least 0
    /// @param max at least `min`, or [Regex#UNBOUNDED]
    public Regex repeat(Regex regex, int min, int max) {
        if (max < min || min < 0) {
            throw new IllegalArgumentException("repeat from " + min + " to " + max);
        }
        if (max == 0 || regex == empty) {
            return empty;
        }
        if (regex == nothing) {
            return min == 0 ? empty : nothing;
        }
        int least = regex.nullable() ? 0 : min;
        if (regex == anything || least <= 1 && isStar(regex)) {
            return regex.nullable() || least == 1 ? regex : or(empty, regex);
        }
        return least == 1 && max == 1
                ? regex
                : intern(new Shape(Kind.REPEAT, ByteSet.NONE, List.of(regex), least, max));
    }

    private static boolean isStar(Regex regex) {
        return regex.kind() == Kind.REPEAT
                && regex.shape().max() == Regex.UNBOUNDED
                && regex.shape().min() <= 1;
    }

    public Regex star(Regex regex) {
        return repeat(regex, 0, Regex.UNBOUNDED);
    }

    public Regex optional(Regex regex) {
        return repeat(regex, 0, 1);
    }

    /// Holds the lock for one expression only, so that a large automaton does not hold up other grammars.
    Transitions derived(Regex regex) {
        var known = regex.derived;
        if (known == null) {
            synchronized (this) {
                known = derivation.of(regex);
            }
        }
        return known;
    }

    Transitions liveTransitions(Regex regex) {
        return derivation.live(regex);
    }

    void decideLiveness(Regex regex) {
        derivation.decideLiveness(regex);
    }
}
