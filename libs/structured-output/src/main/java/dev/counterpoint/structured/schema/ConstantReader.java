package dev.counterpoint.structured.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.structured.regex.WorkLimit;
import dev.counterpoint.structured.schema.Formula.Fact;
import dev.counterpoint.structured.schema.ObjectShape.Clue;
import dev.counterpoint.structured.schema.ObjectShape.Named;
import dev.counterpoint.structured.schema.ObjectShape.Rule;
import dev.counterpoint.structured.text.TextPattern;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Reads `enum` and `const`: the value is one of these constants.
final class ConstantReader {
    private static final int CHARACTERS_PER_STEP = 8;

    private final Goals goals;

    ConstantReader(Goals goals) {
        this.goals = goals;
    }

    Formula read(Iterable<JsonNode> constants, View view) {
        var strings = new LinkedHashSet<String>();
        var numbers = new TreeSet<BigDecimal>();
        var others = new ArrayList<Formula>();
        for (var constant : constants) {
            // Each character becomes a state; so a text that is too long is refused before it is one.
            WorkLimit.spend(1 + constant.asText("").length() / CHARACTERS_PER_STEP);
            if (JsonType.of(constant) == view.type()) {
                switch (view.type()) {
                    case STRING -> strings.add(constant.asText());
                    case NUMBER -> numbers.add(constant.decimalValue());
                    case NULL -> others.add(Formula.of(view.holds()));
                    case BOOLEAN -> others.add(bool(constant.booleanValue() == view.holds()));
                    case ARRAY -> others.add(array(constant, view.holds()));
                    case OBJECT -> others.add(object(constant, view.holds()));
                }
            }
        }
        if (!strings.isEmpty()) {
            others.add(new Fact(view.holds() ? StringShape.of(strings) : StringShape.of(noneOf(strings))));
        }
        if (!numbers.isEmpty()) {
            others.add(new Fact(NumberShape.of(numbers, view.holds())));
        }
        return Formula.of(!view.holds(), others);
    }

    private static Formula bool(boolean value) {
        return new Fact(new BooleanShape(value, !value));
    }

    private static TextPattern noneOf(Set<String> values) {
        return TextPattern.not(
                TextPattern.or(values.stream().map(TextPattern::literal).toList()));
    }

    private Formula array(JsonNode constant, boolean holds) {
        int size = constant.size();
        WorkLimit.spend(size);
        var items = new ArrayList<Goal>();
        constant.forEach(item -> items.add(goals.equals(item, true)));
        var any = ArrayShape.any(goals);
        if (holds) {
            return new Fact(any.withItems(items, goals.never()).withSize(size, size));
        }
        var choices = new ArrayList<Formula>();
        choices.add(new Fact(any.withSize(size + 1, ArrayShape.UNBOUNDED)));
        if (size > 0) {
            choices.add(new Fact(any.withSize(0, size - 1)));
        }
        for (int i = 0; i < size; i++) {
            var first = new ArrayList<>(Collections.nCopies(i, goals.any()));
            first.add(goals.equals(constant.get(i), false));
            choices.add(new Fact(any.withItems(first, goals.any()).withSize(i + 1, ArrayShape.UNBOUNDED)));
        }
        return Formula.any(choices);
    }

    private Formula object(JsonNode constant, boolean holds) {
        WorkLimit.spend(constant.size());
        var named = new LinkedHashMap<String, Named>();
        var clues = new ArrayList<Clue>();
        for (var field : constant.properties()) {
            named.put(field.getKey(), new Named(goals.equals(field.getValue(), true), true));
            clues.add(new Clue.Absent(field.getKey(), goals.never()));
            clues.add(new Clue.Present(KeySet.of(field.getKey()), goals.equals(field.getValue(), false)));
        }
        var others = KeySet.allBut(named.keySet(), List.of());
        if (holds) {
            return new Fact(ObjectShape.of(named)).and(new Fact(ObjectShape.of(new Rule(others, goals.never()))));
        }
        clues.add(new Clue.Present(others, goals.any()));
        return new Fact(ObjectShape.of(clues));
    }
}
