package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.regex.TooComplexException;
import dev.counterpoint.structured.regex.WorkLimit;
import dev.counterpoint.structured.schema.Formula.All;
import dev.counterpoint.structured.schema.Formula.Any;
import dev.counterpoint.structured.schema.Formula.Fact;
import dev.counterpoint.structured.schema.Formula.One;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Turns a formula into shapes of which a value must fit one. Choices that contradict what else is known are
/// dropped before they multiply.
final class Disjuncts {
    private static final int DEPTH_MAX = 200;
    private static final int STEP_COST = 6;

    private final @Nullable Emptiness emptiness;
    private final Fact any;
    private final List<Fact> found = new ArrayList<>();

    private Disjuncts(@Nullable Emptiness emptiness, Fact any) {
        this.emptiness = emptiness;
        this.any = any;
    }

    /// @param any the shape that all values of the type fit
    /// @param emptiness finds contradictions; without it the shapes may be too many and too wide, and are found
    ///     quickly
    static List<Fact> of(Formula formula, ValueShape any, @Nullable Emptiness emptiness) {
        var disjuncts = new Disjuncts(emptiness, new Fact(any));
        disjuncts.add(null, List.of(formula), 0);
        return disjuncts.found;
    }

    /// @param known of the parts before; null is nothing
    private void add(@Nullable Fact known, List<Formula> parts, int depth) {
        WorkLimit.spend(STEP_COST);
        if (depth > DEPTH_MAX) {
            throw new TooComplexException("The schema combines too many choices.");
        }
        var sofar = known;
        for (int i = 0; i < parts.size(); i++) {
            switch (parts.get(i)) {
                case Fact fact -> {
                    sofar = sofar == null ? fact : sofar.and(fact);
                    WorkLimit.spend(1);
                    if (sofar.shape().isPlainlyEmpty()) {
                        return;
                    }
                }
                case All(var inner) -> {
                    var flat = new ArrayList<>(inner);
                    flat.addAll(parts.subList(i + 1, parts.size()));
                    add(sofar, flat, depth + 1);
                    return;
                }
                case Any(var choices) -> {
                    addChoices(sofar, choices, new Rest(parts, i), depth);
                    return;
                }
                case One one -> {
                    add(sofar, followedBy(resolved(one, facts(sofar, new Rest(parts, i))), parts, i), depth + 1);
                    return;
                }
            }
        }
        found.add(sofar == null ? any : sofar);
    }

    /// The formulas after the one at an index.
    private record Rest(List<Formula> parts, int index) {}

    private void addChoices(@Nullable Fact known, List<Formula> choices, Rest rest, int depth) {
        var ahead = facts(known, rest);
        for (var choice : choices) {
            if (!contradict(ahead, choice)) {
                add(known, followedBy(choice, rest.parts, rest.index), depth + 1);
            }
        }
    }

    private Formula resolved(One one, @Nullable Fact known) {
        return emptiness == null ? one.rough() : one.given(known == null ? any : known);
    }

    private boolean contradict(@Nullable Fact ahead, Formula choice) {
        var said = facts(ahead, new Rest(choice instanceof All(var inner) ? inner : List.of(choice), -1));
        return said != null && (emptiness == null ? said.shape().isPlainlyEmpty() : emptiness.isEmpty(said.shape()));
    }

    /// The known facts together with the later formulas that offer no choice.
    private static @Nullable Fact facts(@Nullable Fact known, Rest rest) {
        var all = known;
        for (int i = rest.index + 1; i < rest.parts.size(); i++) {
            if (rest.parts.get(i) instanceof Fact fact) {
                WorkLimit.spend(1);
                all = all == null ? fact : all.and(fact);
            }
        }
        return all;
    }

    private static List<Formula> followedBy(Formula first, List<Formula> parts, int index) {
        var all = new ArrayList<Formula>();
        all.add(first);
        all.addAll(parts.subList(index + 1, parts.size()));
        return all;
    }
}
