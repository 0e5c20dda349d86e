package dev.counterpoint.structured;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;

/// Chance, repeatable, with what is often needed to make schemas by chance.
final class SchemaDice {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final SplittableRandom random;

    /// The same seed and number give the same throws.
    SchemaDice(long seed, int number) {
        random = new SplittableRandom(new SplittableRandom(seed).nextLong() ^ 0x9E3779B97F4A7C15L * number);
    }

    /// From 0, up to but without the bound.
    int below(int bound) {
        return random.nextInt(bound);
    }

    /// From the first to the last, both included.
    int between(int first, int last) {
        return random.nextInt(first, last + 1);
    }

    boolean percent(int chance) {
        return random.nextInt(100) < chance;
    }

    <T> T of(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    /// Some of them in their order.
    <T> List<T> some(Collection<T> choices, int chance) {
        return choices.stream().filter(_ -> percent(chance)).toList();
    }

    /// So many of them in any order, or all when there are fewer.
    <T> List<T> draw(Collection<T> choices, int count) {
        var left = new ArrayList<T>(choices);
        var drawn = new ArrayList<T>();
        while (drawn.size() < count && !left.isEmpty()) {
            drawn.add(left.remove(below(left.size())));
        }
        return drawn;
    }

    static ObjectNode object() {
        return NODES.objectNode();
    }

    static ArrayNode array(Collection<? extends JsonNode> members) {
        return NODES.arrayNode().addAll(members);
    }

    static ArrayNode texts(Collection<String> members) {
        var array = NODES.arrayNode();
        members.forEach(array::add);
        return array;
    }

    static JsonNode text(String text) {
        return NODES.textNode(text);
    }

    static JsonNode number(long number) {
        return NODES.numberNode(number);
    }

    static JsonNode bool(boolean value) {
        return NODES.booleanNode(value);
    }

    static JsonNode none() {
        return NODES.nullNode();
    }
}
