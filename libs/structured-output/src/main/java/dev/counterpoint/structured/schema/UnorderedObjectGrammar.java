package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.grammar.Guard;
import dev.counterpoint.structured.grammar.Symbol;
import dev.counterpoint.structured.grammar.Symbol.Rule;
import dev.counterpoint.structured.schema.ObjectMembers.Option;
import dev.counterpoint.structured.schema.ObjectMembers.Property;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/// Writes objects in any order. Marks record the written properties, so no property is repeated and no required one
/// is missing at the end. At most 64 properties have marks, required ones first. Optional properties without a mark
/// may be repeated; readers of JSON treat a repeated property as one.
final class UnorderedObjectGrammar {
    private final ValueGrammar values;
    private final ObjectMembers members;
    private final Map<Property, Long> marks = new IdentityHashMap<>();

    UnorderedObjectGrammar(ValueGrammar values, ObjectMembers members) {
        this.values = values;
        this.members = members;
        for (boolean required : List.of(true, false)) {
            for (var property : members.properties()) {
                if (property.required() == required && marks.size() < Long.SIZE) {
                    marks.put(property, 1L << marks.size());
                }
            }
        }
    }

    /// True if nothing else is to be remembered.
    static boolean isPossible(ObjectMembers members) {
        return members.isPlain()
                && members.properties().stream().filter(Property::required).count() <= Long.SIZE;
    }

    void write(Rule object) {
        var builder = values.builder;
        var first = builder.rule();
        var rest = builder.rule();
        var required = new ArrayList<Symbol>();
        long requiredMarks = 0;
        for (var property : members.properties()) {
            var member =
                    builder.anyOf(property.options().stream().map(this::member).toList());
            long mark = marks.getOrDefault(property, 0L);
            var once = builder.condition(new Guard(mark, 0, mark), List.of());
            builder.add(first, once, member, rest);
            builder.add(rest, once, values.spelled.comma, member, rest);
            if (property.required()) {
                required.add(member);
                requiredMarks |= mark;
            }
        }
        for (var other : members.others()) {
            var member = member(other);
            builder.add(first, member, rest);
            builder.add(rest, values.spelled.comma, member, rest);
        }
        if (required.isEmpty()) {
            builder.add(object, values.spelled.emptyObject);
        }
        builder.add(object, values.spelled.openObject, first);
        builder.add(rest, builder.condition(new Guard(0, requiredMarks, 0), required), values.spelled.closeObject);
    }

    private Symbol member(Option option) {
        return values.builder.sequence(option.key(), values.value(option.goal()));
    }
}
