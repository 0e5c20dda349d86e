package dev.counterpoint.structured.regex;

import dev.counterpoint.structured.regex.Regex.Kind;
import dev.counterpoint.structured.regex.Regex.Shape;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/// Makes alternatives with as few members as can be had cheaply, so that the states of an automaton stay few: what
/// starts alike is factored, counted repetitions of one thing become one.
final class Alternatives {
    private final RegexPool pool;

    Alternatives(RegexPool pool) {
        this.pool = pool;
    }

    Regex of(Collection<Regex> choices) {
        var flat = new LinkedHashSet<Regex>();
        var set = ByteSet.NONE;
        for (var choice : choices) {
            for (var member : choice.kind() == Kind.OR ? choice.shape().parts() : List.of(choice)) {
                if (member.kind() == Kind.BYTES) {
                    set = set.or(member.shape().bytes());
                } else {
                    flat.add(member);
                }
            }
        }
        flat.add(pool.bytes(set));
        flat.remove(pool.nothing());
        if (flat.contains(pool.anything())) {
            return pool.anything();
        }
        return flat.size() < 2 ? single(flat) : joined(factored(flat));
    }

    private Regex single(Collection<Regex> members) {
        return members.isEmpty() ? pool.nothing() : members.iterator().next();
    }

    private Regex joined(Collection<Regex> members) {
        boolean emptyToo = members.stream().anyMatch(member -> member != pool.empty() && member.nullable());
        var sorted = new ArrayList<>(members);
        if (emptyToo) {
            sorted.remove(pool.empty());
        }
        if (sorted.size() < 2) {
            return single(sorted);
        }
        sorted.sort((a, b) -> Integer.compare(a.id(), b.id()));
        return pool.intern(Shape.of(Kind.OR, List.copyOf(sorted)));
    }

    /// What starts with the same expression becomes that expression and then the alternatives.
    private Collection<Regex> factored(Collection<Regex> members) {
        var byHead = new LinkedHashMap<Regex, List<Regex>>();
        for (var member : members) {
            byHead.computeIfAbsent(head(member), _ -> new ArrayList<>()).add(tail(member));
        }
        if (byHead.size() == members.size()) {
            return merged(members);
        }
        var result = new LinkedHashSet<Regex>();
        byHead.forEach(
                (head, tails) -> result.add(pool.concat(head, tails.size() == 1 ? tails.getFirst() : of(tails))));
        return merged(result);
    }

    private Regex head(Regex member) {
        return member.kind() == Kind.CONCAT ? member.shape().parts().getFirst() : member;
    }

    private Regex tail(Regex member) {
        return member.kind() == Kind.CONCAT ? member.shape().parts().getLast() : pool.empty();
    }

    /// `x{1,3}y` and `x{2,5}y` become `x{1,5}y`: a string of nested quantifiers would make a new state at each
    /// byte.
    private Collection<Regex> merged(Collection<Regex> members) {
        record Counted(Regex repeated, Regex tail) {}
        var ranges = new LinkedHashMap<Counted, List<Regex>>();
        var result = new LinkedHashSet<Regex>();
        for (var member : members) {
            var head = head(member);
            if (head.kind() == Kind.REPEAT) {
                var key = new Counted(head.shape().parts().getFirst(), tail(member));
                ranges.computeIfAbsent(key, _ -> new ArrayList<>()).add(head);
            } else {
                result.add(member);
            }
        }
        for (Map.Entry<Counted, List<Regex>> range : ranges.entrySet()) {
            for (var head : joinedRanges(range.getValue())) {
                result.add(pool.concat(head, range.getKey().tail));
            }
        }
        return result;
    }

    private List<Regex> joinedRanges(List<Regex> repeats) {
        if (repeats.size() == 1) {
            return repeats;
        }
        var sorted = new ArrayList<>(repeats);
        sorted.sort((x, y) -> Integer.compare(x.shape().min(), y.shape().min()));
        var result = new ArrayList<Regex>();
        var repeated = sorted.getFirst().shape().parts().getFirst();
        int min = sorted.getFirst().shape().min();
        int max = sorted.getFirst().shape().max();
        for (var next : sorted) {
            if (next.shape().min() > (long) max + 1) {
                result.add(pool.repeat(repeated, min, max));
                min = next.shape().min();
            }
            max = Math.max(max, next.shape().max());
        }
        result.add(pool.repeat(repeated, min, max));
        return result;
    }
}
