package dev.counterpoint.testkit.contract;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.testkit.contract.Spoiled.Fault;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/// Breaks generated values in one place each, the same for the same value.
///
/// Safe to share between threads.
public final class Spoiler {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final List<JsonNode> OTHERS = List.of(
            JSON.booleanNode(true),
            JSON.numberNode(7),
            JSON.numberNode(1.5),
            JSON.textNode("text"),
            JSON.arrayNode(),
            JSON.objectNode());

    private final Contract contract;
    private final ContractValidator validator;

    public Spoiler(Contract contract, ContractValidator validator) {
        this.contract = contract;
        this.validator = validator;
    }

    /// Up to `count` values that break the schema, each by one fault; fewer when chance does not find as many.
    public List<Spoiled> spoil(Instance instance, int count) {
        var random =
                new SplittableRandom(instance.seed() * 31 + instance.schema().hashCode());
        var faults = shuffled(faults(instance), random);
        return faults.stream()
                .map(fault -> apply(instance, fault, random))
                .filter(spoiled ->
                        !validator.violations(instance.schema(), spoiled.json()).isEmpty())
                .limit(count)
                .toList();
    }

    private record Plan(Fault how, JsonPointer place) {}

    private List<Plan> faults(Instance instance) {
        var plans = new ArrayList<Plan>();
        instance.objects()
                .forEach((place, parts) -> required(parts)
                        .forEach(member -> plans.add(new Plan(Fault.REMOVED, place.appendProperty(member)))));
        plans.sort(Comparator.comparing(plan -> plan.place.toString()));
        places(instance.json(), JsonPointer.empty()).forEach(place -> {
            plans.add(new Plan(Fault.RETYPED, place));
            if (instance.json().at(place).isTextual()) {
                plans.add(new Plan(Fault.RENAMED, place));
            }
        });
        return plans;
    }

    private Stream<String> required(List<String> parts) {
        return parts.stream()
                .flatMap(part -> contract.at(part).path("required").valueStream())
                .map(JsonNode::textValue)
                .distinct();
    }

    /// The nearest object around `place`, and the member of it.
    private String rule(Instance instance, JsonPointer place) {
        if (place.matches()) {
            return instance.schema();
        }
        var parts = instance.objects().get(place.head());
        if (parts == null) {
            return rule(instance, place.head()) + "[]";
        }
        var member = place.last().getMatchingProperty();
        return parts.stream()
                .filter(part -> contract.at(part + "/properties").has(member))
                .findFirst()
                .or(() -> parts.stream().findFirst())
                .map(part -> part.substring(Contract.pointer("").length()) + "." + member)
                .orElse(member);
    }

    private static Stream<JsonPointer> places(JsonNode json, JsonPointer place) {
        var below = Stream.concat(
                json.propertyStream()
                        .flatMap(member -> places(member.getValue(), place.appendProperty(member.getKey()))),
                Stream.iterate(0, i -> json.isArray() && i < json.size(), i -> i + 1)
                        .flatMap(i -> places(json.get(i), place.appendIndex(i))));
        return Stream.concat(Stream.of(place), below);
    }

    private Spoiled apply(Instance instance, Plan plan, SplittableRandom random) {
        var json = instance.json().deepCopy();
        var path = path(json, plan.place);
        if (plan.how == Fault.REMOVED) {
            ((ObjectNode) json.at(plan.place.head())).remove(plan.place.last().getMatchingProperty());
        } else {
            var there = json.at(plan.place);
            var other = plan.how == Fault.RENAMED ? JSON.textNode("no_such_value") : retyped(there, random);
            json = replaced(json, plan.place, other);
        }
        return new Spoiled(instance, plan.how, rule(instance, plan.place), plan.place, path, json);
    }

    /// A value of another type; no text for a null, which would be but another word where one of several may stand.
    private static JsonNode retyped(JsonNode there, SplittableRandom random) {
        var others = OTHERS.stream()
                .filter(other -> other.getNodeType() != there.getNodeType())
                .filter(other -> !there.isNull() || !other.isTextual())
                .toList();
        return others.get(random.nextInt(others.size()));
    }

    private static JsonNode replaced(JsonNode json, JsonPointer place, JsonNode other) {
        if (place.matches()) {
            return other;
        }
        var last = place.last();
        switch (json.at(place.head())) {
            case ObjectNode object -> object.set(last.getMatchingProperty(), other);
            case ArrayNode array -> array.set(last.getMatchingIndex(), other);
            default -> throw new IllegalStateException("nothing holds " + place);
        }
        return json;
    }

    private static String path(JsonNode json, JsonPointer place) {
        var path = new StringBuilder();
        var node = json;
        for (var step = place; !step.matches(); step = step.tail()) {
            if (node.isArray()) {
                path.append('[').append(step.getMatchingIndex()).append(']');
                node = node.path(step.getMatchingIndex());
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step.getMatchingProperty());
                node = node.path(step.getMatchingProperty());
            }
        }
        return path.toString();
    }

    private static List<Plan> shuffled(List<Plan> plans, SplittableRandom random) {
        var list = new ArrayList<>(plans);
        for (int i = list.size() - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            list.set(other, list.set(i, list.get(other)));
        }
        return list;
    }
}
