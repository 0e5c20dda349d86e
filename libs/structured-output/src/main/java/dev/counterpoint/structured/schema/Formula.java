package dev.counterpoint.structured.schema;

import java.util.ArrayList;
import java.util.List;

/// What a schema says of values of one type, as a formula over shapes. Negation was carried down to the shapes.
sealed interface Formula {
    Formula TRUE = new All(List.of());
    Formula FALSE = new Any(List.of());

    /// The value fits a shape.
    ///
    /// @param marks what this evaluates of the value; counts where someone asks for what is unevaluated
    record Fact(Shape shape, Marks marks) implements Formula {
        Fact(Shape shape) {
            this(shape, Marks.NONE);
        }

        Fact and(Fact other) {
            return new Fact(shape.and(other.shape), marks.and(other.marks));
        }
    }

    record All(List<Formula> parts) implements Formula {}

    record Any(List<Formula> choices) implements Formula {}

    /// Exactly one of several branches, which must be told apart: that is simpler where more is known.
    non-sealed interface One extends Formula {
        /// The same for values of which a fact is known.
        Formula given(Fact known);
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
        var flat = new ArrayList<Formula>();
        for (var part : parts) {
            if (part == FALSE) {
                return FALSE;
            }
            flat.addAll(part instanceof All(var inner) ? inner : List.of(part));
        }
        return flat.size() == 1 ? flat.getFirst() : flat.isEmpty() ? TRUE : new All(List.copyOf(flat));
    }

    static Formula any(List<Formula> choices) {
        var flat = new ArrayList<Formula>();
        for (var choice : choices) {
            if (choice == TRUE) {
                return TRUE;
            }
            flat.addAll(choice instanceof Any(var inner) ? inner : List.of(choice));
        }
        var merged = Choices.merged(flat);
        return merged.size() == 1 ? merged.getFirst() : merged.isEmpty() ? FALSE : new Any(merged);
    }
}
