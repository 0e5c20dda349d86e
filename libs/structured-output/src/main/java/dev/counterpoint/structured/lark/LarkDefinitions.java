package dev.counterpoint.structured.lark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What a grammar defines.
final class LarkDefinitions {
    private final Map<String, LarkExpression> byName = new LinkedHashMap<>();
    private final List<LarkExpression> ignored = new ArrayList<>();

    void add(LarkToken name, LarkExpression expression) {
        add(name, name.text(), expression);
    }

    void add(LarkToken place, String name, LarkExpression expression) {
        if (byName.putIfAbsent(name, expression) != null) {
            throw place.error(name + " is defined twice.");
        }
    }

    void ignore(LarkExpression expression) {
        ignored.add(expression);
    }

    Map<String, LarkExpression> byName() {
        return byName;
    }

    List<LarkExpression> ignored() {
        return ignored;
    }

    LarkExpression get(LarkToken name) {
        var expression = byName.get(name.text());
        if (expression == null) {
            throw name.error(name.text() + " is not defined.");
        }
        return expression;
    }
}
