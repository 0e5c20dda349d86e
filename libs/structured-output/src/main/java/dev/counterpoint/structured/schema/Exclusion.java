package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.regex.WorkLimit;
import dev.counterpoint.structured.schema.Formula.Fact;
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

    private record Branch(Place schema, Formula formula, List<Fact> facts) {}

    /// @param beside holds too, where the result is used
    Formula oneOf(List<Place> schemas, List<Formula> beside, View view) {
        var facts = Formula.all(beside.stream().filter(Fact.class::isInstance).toList());
        var branches = new ArrayList<Branch>();
        for (var schema : schemas) {
            var formula = reader.read(schema, view.holding(true).withoutMarks());
            var together = Formula.all(List.of(facts, formula));
            if (together != Formula.FALSE) {
                branches.add(new Branch(schema, formula, Disjuncts.of(together, reader.any(view.type()))));
            }
        }
        return view.holds() ? exactlyOne(branches, view) : notOne(branches, view);
    }

    private Formula exactlyOne(List<Branch> branches, View view) {
        var choices = new ArrayList<Formula>();
        for (var branch : branches) {
            var parts = new ArrayList<Formula>();
            parts.add(reader.read(branch.schema, view));
            for (var other : branches) {
                if (other != branch && meet(branch, other)) {
                    parts.add(reader.read(other.schema, view.holding(false)));
                }
            }
            choices.add(Formula.all(parts));
        }
        return Formula.any(choices);
    }

    private Formula notOne(List<Branch> branches, View view) {
        var choices = new ArrayList<Formula>();
        var none = new ArrayList<Formula>();
        for (int i = 0; i < branches.size(); i++) {
            var branch = branches.get(i);
            none.add(reader.read(branch.schema, view.holding(false)));
            for (var other : branches.subList(i + 1, branches.size())) {
                if (meet(branch, other)) {
                    choices.add(Formula.all(List.of(branch.formula, other.formula)));
                }
            }
        }
        choices.add(Formula.all(none));
        return Formula.any(choices);
    }

    /// False if no value can fit both.
    private boolean meet(Branch first, Branch second) {
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
