package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.schema.Formula.Fact;
import dev.counterpoint.structured.schema.ObjectShape.Clue;
import dev.counterpoint.structured.text.TextPattern;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Makes few choices of many: what one shape can say needs no branch.
final class Choices {
    private Choices() {}

    static List<Formula> merged(List<Formula> choices) {
        var strings = new ArrayList<Fact>();
        var clues = new ArrayList<Fact>();
        var result = new ArrayList<Formula>();
        for (var choice : choices) {
            if (choice instanceof Fact fact && fact.marks() == Marks.NONE && fact.shape() instanceof StringShape) {
                strings.add(fact);
            } else if (choice instanceof Fact fact && fact.marks() == Marks.NONE && clues(fact) != null) {
                clues.add(fact);
            } else {
                result.add(choice);
            }
        }
        result.addAll(strings.size() > 1 ? List.of(ofStrings(strings)) : strings);
        result.addAll(clues.size() > 1 && sayDifferentThings(clues) ? List.of(ofClues(clues)) : clues);
        return result;
    }

    private static Formula ofStrings(List<Fact> facts) {
        var shapes = facts.stream().map(fact -> (StringShape) fact.shape()).toList();
        if (shapes.stream().allMatch(shape -> shape.values() != null && isUnbounded(shape))) {
            var values = new LinkedHashSet<String>();
            shapes.forEach(shape -> values.addAll(shape.values()));
            return new Fact(StringShape.of(values));
        }
        return new Fact(StringShape.of(
                TextPattern.or(shapes.stream().map(StringShape::whole).toList())));
    }

    private static boolean isUnbounded(StringShape shape) {
        return shape.lengthMin() == 0
                && shape.lengthMax() == Regex.UNBOUNDED
                && shape.pattern() == TextPattern.anything();
    }

    /// True if no two of them speak of the same names: one clue would hide the other.
    private static boolean sayDifferentThings(List<Fact> facts) {
        var seen = new HashSet<Object>();
        for (var fact : facts) {
            for (var clue : Objects.requireNonNull(clues(fact))) {
                if (clue instanceof Clue.Present(var names, var _)
                        && !seen.add(names.only() == null ? names.pattern() : names.only())) {
                    return false;
                }
            }
        }
        return true;
    }

    private static Formula ofClues(List<Fact> facts) {
        var all = new ArrayList<Clue>();
        facts.forEach(fact -> all.addAll(clues(fact)));
        return new Fact(ObjectShape.of(all));
    }

    /// The clues of which one says all that this fact says, or null when there are none.
    private static @Nullable List<Clue> clues(Fact fact) {
        if (!(fact.shape() instanceof ObjectShape shape)
                || !shape.rules().isEmpty()
                || shape.min() > 0
                || shape.max() < ObjectShape.UNBOUNDED) {
            return null;
        }
        if (shape.named().isEmpty() && shape.witnesses().size() == 1) {
            return shape.witnesses().getFirst().clues();
        }
        if (shape.named().size() != 1 || !shape.witnesses().isEmpty()) {
            return null;
        }
        var only = shape.named().entrySet().iterator().next();
        var name = only.getKey();
        var named = only.getValue();
        if (named.required()) {
            return List.of(new Clue.Present(KeySet.of(name), named.goal()));
        }
        var absent = new Clue.Absent(name, named.goal().never());
        return named.goal().isNever()
                ? List.of(absent)
                : List.of(absent, new Clue.Present(KeySet.of(name), named.goal()));
    }
}
