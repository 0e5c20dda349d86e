package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.regex.WorkLimit;
import dev.counterpoint.structured.schema.Formula.Fact;
import dev.counterpoint.structured.schema.Formula.One;
import java.util.ArrayList;
import java.util.List;

/// Reads `oneOf`: a branch holds and no other. Branches that exclude each other anyway need no negation.
final class Exclusion {
    private static final int PAIRS_MAX = 1_000;

    private final SchemaReader reader;
    private final Emptiness emptiness;

    Exclusion(SchemaReader reader, Emptiness emptiness) {
        this.reader = reader;
        this.emptiness = emptiness;
    }

    private record Branch(Place schema, Formula formula) {}

    /// A branch with the shapes that are left for it.
    private record Open(Branch branch, List<Fact> facts) {}

    Formula oneOf(List<Place> schemas, View view) {
        var branches = new ArrayList<Branch>();
        for (var schema : schemas) {
            var formula = reader.read(schema, view.holding(true));
            if (formula != Formula.FALSE) {
                branches.add(new Branch(schema, formula));
            }
        }
        if (branches.size() < 2) {
            var only = branches.isEmpty() ? Formula.FALSE : branches.getFirst().formula;
            return view.holds() ? only : branches.isEmpty() ? Formula.TRUE : fails(branches.getFirst(), view);
        }
        return new Pending(branches, view);
    }

    private Formula fails(Branch branch, View view) {
        return reader.read(branch.schema, view.holding(false));
    }

    /// A `oneOf` that is resolved when the facts about the value are known.
    private final class Pending implements One {
        private final List<Branch> branches;
        private final View view;

        Pending(List<Branch> branches, View view) {
            this.branches = branches;
            this.view = view;
        }

        @Override
        public Formula given(Fact known) {
            var open = open(branches, known, view);
            return view.holds() ? exactlyOne(open, view) : notOne(open, view);
        }

        @Override
        public Formula rough() {
            return view.holds()
                    ? Formula.any(branches.stream().map(Branch::formula).toList())
                    : Formula.TRUE;
        }
    }

    private List<Open> open(List<Branch> branches, Fact known, View view) {
        var open = new ArrayList<Open>();
        for (var branch : branches) {
            var facts = Disjuncts.of(Formula.all(List.of(known, branch.formula)), reader.any(view.type()), emptiness);
            if (!facts.isEmpty()) {
                open.add(new Open(branch, facts));
            }
        }
        return open;
    }

    private Formula exactlyOne(List<Open> open, View view) {
        var choices = new ArrayList<Formula>();
        for (var one : open) {
            var parts = new ArrayList<Formula>();
            parts.add(one.branch.formula);
            for (var other : open) {
                if (other != one && meet(one, other)) {
                    parts.add(fails(other.branch, view));
                }
            }
            choices.add(Formula.all(parts));
        }
        return Formula.any(choices);
    }

    private Formula notOne(List<Open> open, View view) {
        var choices = new ArrayList<Formula>();
        var none = new ArrayList<Formula>();
        for (int i = 0; i < open.size(); i++) {
            var one = open.get(i);
            none.add(fails(one.branch, view));
            for (var other : open.subList(i + 1, open.size())) {
                if (meet(one, other)) {
                    choices.add(Formula.all(List.of(one.branch.formula, other.branch.formula)));
                }
            }
        }
        choices.add(Formula.all(none));
        return Formula.any(choices);
    }

    /// False if no value can fit both.
    private boolean meet(Open first, Open second) {
        WorkLimit.spend(1);
        if ((long) first.facts.size() * second.facts.size() > PAIRS_MAX) {
            return true;
        }
        for (var one : first.facts) {
            for (var other : second.facts) {
                if (!emptiness.isEmpty(one.shape().and(other.shape()))) {
                    return true;
                }
            }
        }
        return false;
    }
}
