package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.regex.WorkLimit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/// What a schema says of values of one type, as a formula over shapes. Negation was carried down to the shapes.
sealed interface Formula {
    Formula TRUE = new All(List.of());
    Formula FALSE = new Any(List.of());

    /// The value fits a shape.
    ///
    /// @param marks what this evaluates of the value; counts where someone asks for what is unevaluated
    record Fact(ValueShape shape, Marks marks) implements Formula {
        Fact(ValueShape shape) {
            this(shape, Marks.NONE);
        }

        Fact and(Fact other) {
            return new Fact(shape.and(other.shape), marks.and(other.marks));
        }
    }

    record All(List<Formula> parts) implements Formula {}

    record Any(List<Formula> choices) implements Formula {}

    /// How many of several branches hold, which must be told apart: that is simpler where more is known.
    non-sealed interface One extends Formula {
        /// The same for values of which a fact is known.
        Formula given(Fact known);

        /// Something simpler that holds whenever this does.
        Formula rough();
    }

    /// The same without marks.
    static Formula unmarked(Formula formula) {
        return switch (formula) {
            case Fact(var shape, var marks) -> marks == Marks.NONE ? formula : new Fact(shape);
            case All(var parts) -> all(parts.stream().map(Formula::unmarked).toList());
            case Any any -> any;
            case One one -> one;
        };
    }

    static Formula of(boolean value) {
        return value ? TRUE : FALSE;
    }

    static Formula of(boolean holds, List<Formula> parts) {
        return holds ? all(parts) : any(parts);
    }

    static Formula all(List<Formula> parts) {
        var flat = new Flat();
        for (var part : parts) {
            if (part == FALSE) {
                return FALSE;
            }
            flat.add(part instanceof All(var inner) ? inner : List.of(part));
        }
        var all = flat.parts;
        return all.size() == 1 ? all.getFirst() : all.isEmpty() ? TRUE : new All(List.copyOf(all));
    }

    static Formula any(List<Formula> choices) {
        var flat = new Flat();
        for (var choice : choices) {
            if (choice == TRUE) {
                return TRUE;
            }
            flat.add(choice instanceof Any(var inner) ? inner : List.of(choice));
        }
        var merged = Choices.merged(flat.parts);
        return merged.size() == 1 ? merged.getFirst() : merged.isEmpty() ? FALSE : new Any(merged);
    }

    /// Formulas in their order, each once.
    final class Flat {
        private final Set<Formula> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        private final List<Formula> parts = new ArrayList<>();

        private void add(List<Formula> more) {
            for (var one : more) {
                WorkLimit.spend(1);
                if (seen.add(one)) {
                    parts.add(one);
                }
            }
        }
    }
}
