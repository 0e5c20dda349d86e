package dev.counterpoint.structured.text;

import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.text.EcmaNode.Ahead;
import dev.counterpoint.structured.text.EcmaNode.Behind;
import dev.counterpoint.structured.text.EcmaNode.Boundary;
import dev.counterpoint.structured.text.EcmaNode.Choice;
import dev.counterpoint.structured.text.EcmaNode.End;
import dev.counterpoint.structured.text.EcmaNode.Repeated;
import dev.counterpoint.structured.text.EcmaNode.Sequence;
import dev.counterpoint.structured.text.EcmaNode.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Turns a pattern into the whole texts in which it is found. It goes from right to left: with what may follow a
/// part known, an assertion is one more demand on it (AND), whatever it looks at.
final class EcmaSearch {
    private static final int ASSERTIONS_MAX = 150;
    private static final int STEPS_MAX = 20_000;
    private static final TextPattern SOME = TextPattern.length(1, Regex.UNBOUNDED);

    private final List<Characters> kinds;
    private int assertions;
    private int steps;
    /// While true, what needs the end of the text is left out.
    private boolean withoutEnds;

    private EcmaSearch(List<Characters> kinds) {
        this.kinds = kinds;
    }

    static TextPattern of(EcmaNode node) {
        return new EcmaSearch(new EcmaKinds().of(node)).found(node);
    }

    /// As [#of] where the pattern must match the whole text.
    static TextPattern whole(EcmaNode node) {
        var search = new EcmaSearch(new EcmaKinds().of(node));
        return search.before(node, search.same(TextPattern.empty())).atStart();
    }

    private EcmaSuffix same(TextPattern pattern) {
        return EcmaSuffix.same(pattern, kinds.size());
    }

    private TextPattern found(EcmaNode node) {
        var suffix = before(node, same(TextPattern.anything()));
        if (suffix.isSame()) {
            return TextPattern.concat(TextPattern.anything(), suffix.atStart());
        }
        return TextPattern.or(suffix.atStart(), after(SOME, suffix));
    }

    /// The texts that the node may match, together with the suffix after it.
    private EcmaSuffix before(EcmaNode node, EcmaSuffix then) {
        step(node);
        return switch (node) {
            case Text(var pattern) -> before(pattern, then);
            case Sequence(var parts) -> {
                var suffix = then;
                for (var part : parts.reversed()) {
                    suffix = before(part, suffix);
                }
                yield suffix;
            }
            case Choice(var choices) ->
                EcmaSuffix.combined(
                        choices.stream().map(one -> before(one, then)).toList(), TextPattern::or);
            case Repeated repeated -> before(repeated, then);
            case End() ->
                then.map(
                        pattern -> withoutEnds ? TextPattern.nothing() : TextPattern.and(pattern, TextPattern.empty()));
            case Behind behind -> before(behind, then);
            case Boundary(boolean negated) -> before(boundary(negated), then);
            case Ahead(var part, boolean negated) -> ahead(before(part, same(TextPattern.anything())), negated, then);
        };
    }

    private void step(EcmaNode node) {
        boolean assertion = !(node instanceof Text || node instanceof Sequence || node instanceof Choice);
        if (++steps > STEPS_MAX || assertion && ++assertions > ASSERTIONS_MAX) {
            throw new UnsupportedPatternException(
                    "More than " + ASSERTIONS_MAX + " assertions, each repetition counted,", 0);
        }
    }

    private EcmaSuffix before(TextPattern pattern, EcmaSuffix then) {
        if (then.isSame() || then.isSameAfterAll() && !pattern.nullable()) {
            return same(TextPattern.concat(pattern, then.after(0)));
        }
        var some = after(pattern, then);
        return pattern.nullable() ? then.map(empty -> TextPattern.or(some, empty)) : same(some);
    }

    /// The non-empty texts of the pattern, with what follows their last character.
    private TextPattern after(TextPattern pattern, EcmaSuffix then) {
        Map<TextPattern, Characters> lasts = new LinkedHashMap<>();
        for (int i = 0; i < kinds.size(); i++) {
            lasts.merge(then.after(i), kinds.get(i), Characters::or);
        }
        var choices = new ArrayList<TextPattern>();
        lasts.forEach((next, last) -> choices.add(TextPattern.concat(endingIn(pattern, last), next)));
        return TextPattern.or(choices);
    }

    private static TextPattern endingIn(TextPattern pattern, Characters last) {
        if (pattern == SOME) {
            return TextPattern.concat(TextPattern.anything(), TextPattern.of(last));
        }
        if (pattern instanceof TextPattern.OneOf one) {
            return TextPattern.of(one.characters.and(last));
        }
        if (last.equals(Characters.ALL)) {
            return pattern.nullable() ? TextPattern.and(pattern, SOME) : pattern;
        }
        if (pattern instanceof TextPattern.Concat concat
                && !concat.parts.getLast().nullable()) {
            int size = concat.parts.size();
            var start = TextPattern.concat(concat.parts.subList(0, size - 1));
            return TextPattern.concat(start, endingIn(concat.parts.getLast(), last));
        }
        return TextPattern.and(pattern, TextPattern.concat(TextPattern.anything(), TextPattern.of(last)));
    }

    private EcmaSuffix before(Behind behind, EcmaSuffix then) {
        var result = new ArrayList<TextPattern>();
        result.add(behind.orStart() ? then.atStart() : TextPattern.nothing());
        for (int i = 0; i < kinds.size(); i++) {
            boolean allowed = !kinds.get(i).and(behind.set()).isEmpty();
            result.add(allowed ? then.after(i) : TextPattern.nothing());
        }
        return new EcmaSuffix(List.copyOf(result));
    }

    /// A word character on one side alone; negated, on both or neither.
    private static EcmaNode boundary(boolean negated) {
        var word = EcmaEscapes.WORD;
        var ahead = new Text(TextPattern.of(word));
        var afterWord = new Sequence(List.of(new Behind(word, false), new Ahead(ahead, !negated)));
        var afterOther = new Sequence(List.of(new Behind(word.complement(), true), new Ahead(ahead, negated)));
        return new Choice(List.of(afterWord, afterOther));
    }

    private static EcmaSuffix ahead(EcmaSuffix seen, boolean negated, EcmaSuffix then) {
        var demand = negated ? seen.map(TextPattern::not) : seen;
        return EcmaSuffix.combined(List.of(demand, then), TextPattern::and);
    }

    private EcmaSuffix before(Repeated repeated, EcmaSuffix then) {
        boolean anythingFollows = then.isAll(TextPattern.anything());
        boolean unbounded = repeated.max() == Regex.UNBOUNDED && !anythingFollows;
        var suffix = unbounded ? beforeAnyNumber(repeated.part(), then) : then;
        int optional = unbounded || anythingFollows ? 0 : repeated.max() - repeated.min();
        for (int i = 0; i < optional; i++) {
            suffix = EcmaSuffix.combined(List.of(then, before(repeated.part(), suffix)), TextPattern::or);
        }
        for (int i = 0; i < repeated.min(); i++) {
            suffix = before(repeated.part(), suffix);
        }
        return suffix;
    }

    /// The three kinds of repeated assertions that are one repetition when looked at as a whole.
    private EcmaSuffix beforeAnyNumber(EcmaNode part, EcmaSuffix then) {
        var uses = EcmaKinds.uses(part);
        if (uses.ends() && !uses.others() && !uses.starts() && then.isSame()) {
            return beforeWithEnds(part, then.atStart());
        }
        if (uses.starts() && !uses.others() && !uses.ends() && then.isSameAfterAll()) {
            return beforeWithStarts(part, then);
        }
        if (part instanceof Sequence(var parts)
                && parts.getLast() instanceof Text(TextPattern last)
                && last instanceof TextPattern.OneOf
                && parts.subList(0, parts.size() - 1).stream().allMatch(Ahead.class::isInstance)
                && then.isAll(TextPattern.empty())) {
            return beforeEachCharacter(new Sequence(parts.subList(0, parts.size() - 1)), last);
        }
        throw new UnsupportedPatternException("An assertion in a repeated group", 0);
    }

    /// `(a|b$)*`: the end can only come once, in the last round.
    private EcmaSuffix beforeWithEnds(EcmaNode part, TextPattern then) {
        boolean outside = withoutEnds;
        withoutEnds = true;
        var inner = before(part, same(TextPattern.empty())).atStart();
        withoutEnds = outside;
        var last = then.nullable() && !withoutEnds
                ? before(part, same(TextPattern.empty())).atStart()
                : TextPattern.nothing();
        return same(TextPattern.concat(TextPattern.repeat(inner, 0, Regex.UNBOUNDED), TextPattern.or(then, last)));
    }

    /// `(^a|b)*`: the start can only come once, in the first round.
    private EcmaSuffix beforeWithStarts(EcmaNode part, EcmaSuffix then) {
        var once = before(part, same(TextPattern.empty()));
        var rounds = TextPattern.repeat(once.after(0), 0, Regex.UNBOUNDED);
        var later = TextPattern.concat(rounds, then.after(0));
        var first = TextPattern.and(once.atStart(), SOME);
        var result = same(later).patterns();
        var patterns = new ArrayList<>(result);
        patterns.set(0, TextPattern.or(then.atStart(), TextPattern.concat(first, later)));
        return new EcmaSuffix(List.copyOf(patterns));
    }

    /// `((?!ab).)*$`: no character stands where the demand fails.
    private EcmaSuffix beforeEachCharacter(EcmaNode aheads, TextPattern character) {
        var demand = before(aheads, same(TextPattern.anything()));
        if (!demand.isSame()) {
            throw new UnsupportedPatternException("An assertion in a repeated group", 0);
        }
        var failing = TextPattern.and(TextPattern.not(demand.atStart()), SOME);
        var failsSomewhere = TextPattern.concat(TextPattern.anything(), failing);
        return same(
                TextPattern.and(TextPattern.repeat(character, 0, Regex.UNBOUNDED), TextPattern.not(failsSomewhere)));
    }
}
