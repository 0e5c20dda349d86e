package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.grammar.GrammarBuilder;
import dev.counterpoint.structured.grammar.Symbol;
import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.WorkLimit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Writes the values that meet a goal, as rules of a grammar.
final class ValueGrammar {
    private static final int STEP_COST = 3;

    final GrammarBuilder builder;
    final SchemaScope context;
    final Punctuation spelled;
    final GoalExpansion expansion;
    final ScalarTerminals scalars;
    final KeyRegexes keys;
    private final Map<Goal, Symbol> values = new HashMap<>();
    private final ArrayDeque<Runnable> toDo = new ArrayDeque<>();

    ValueGrammar(GrammarBuilder builder, SchemaScope context) {
        this.builder = builder;
        this.context = context;
        scalars = new ScalarTerminals(context.pool, context.options.writing().form());
        keys = new KeyRegexes(scalars);
        spelled = new Punctuation(builder, scalars, context.options.writing().spacing());
        expansion = new GoalExpansion(context, scalars);
    }

    /// The values of a goal with all that they are made of.
    Symbol write(Goal goal) {
        var symbol = value(goal);
        while (!toDo.isEmpty()) {
            toDo.remove().run();
        }
        return symbol;
    }

    /// The values of a goal; the rules for their parts follow later.
    Symbol value(Goal goal) {
        var known = values.get(goal);
        if (known == null) {
            known = newValue(goal);
            values.put(goal, known);
        }
        return known;
    }

    Symbol anyObject() {
        var symbol = composite(ObjectShape.ANY);
        while (!toDo.isEmpty()) {
            toDo.remove().run();
        }
        return symbol;
    }

    private Symbol newValue(Goal goal) {
        WorkLimit.spend(STEP_COST);
        var choices = new ArrayList<Symbol>();
        var scalar = context.pool.or(scalars(goal));
        if (!scalars.isEmpty(scalar)) {
            choices.add(builder.terminal(scalar));
        }
        for (var type : List.of(JsonType.OBJECT, JsonType.ARRAY)) {
            for (var shape : expansion.shapes(goal, type)) {
                if (!shape.isPlainlyEmpty()) {
                    choices.add(composite(shape));
                }
            }
        }
        return choices.isEmpty() ? builder.terminal(context.pool.nothing()) : builder.anyOf(choices);
    }

    private Symbol composite(ValueShape shape) {
        var rule = builder.rule();
        toDo.add(() -> {
            switch (shape) {
                case ArrayShape array -> new ArrayGrammar(this, array).write(rule);
                case ObjectShape object -> write(new ObjectMembers(this, object), rule);
                case NullShape _, BooleanShape _, NumberShape _, StringShape _ -> throw new IllegalStateException();
            }
        });
        return rule;
    }

    private void write(ObjectMembers members, Symbol.Rule rule) {
        boolean anyOrder = context.options.writing().form() == ValueForm.ANY;
        if (anyOrder && UnorderedObjectGrammar.isPossible(members)) {
            new UnorderedObjectGrammar(this, members).write(rule);
        } else if (anyOrder && FreeObjectGrammar.isPossible(members)) {
            new FreeObjectGrammar(this, members).write(rule);
        } else {
            new ObjectGrammar(this, members).write(rule);
        }
    }

    private List<Regex> scalars(Goal goal) {
        var choices = new ArrayList<Regex>();
        for (var type : List.of(JsonType.STRING, JsonType.NUMBER, JsonType.BOOLEAN, JsonType.NULL)) {
            for (var shape : expansion.shapes(goal, type)) {
                choices.add(
                        switch (shape) {
                            case NullShape _ -> context.pool.literal("null");
                            case BooleanShape bool -> scalars.regex(bool);
                            case NumberShape number -> scalars.regex(number);
                            case StringShape string -> scalars.regex(string);
                            case ArrayShape _, ObjectShape _ -> throw new IllegalStateException();
                        });
            }
        }
        return choices;
    }
}
