package dev.counterpoint.testkit.contract;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/// Makes values that keep a schema of the contract, the same for the same seed: the first with what is required alone,
/// the second with all of its members, the others at random.
///
/// Knows what the contract uses of JSON Schema and fails at what it does not know. Safe to share between threads.
public final class InstanceGenerator {
    private final Contract contract;
    private final ContractValidator validator;

    public InstanceGenerator(Contract contract, ContractValidator validator) {
        this.contract = contract;
        this.validator = validator;
    }

    /// A value of the named schema.
    ///
    /// @param seed 0 or more
    /// @throws IllegalStateException when the schema cannot be kept, or not by chance
    public Instance valid(String schema, long seed) {
        var random = new SplittableRandom(seed * 31 + schema.hashCode());
        var draft = new Draft(contract, validator, random, appetite(seed, random));
        var json = draft.value(contract.parts(Contract.pointer(schema)));
        var objects = new HashMap<JsonPointer, List<String>>();
        collect(json, JsonPointer.empty(), draft, objects);
        return new Instance(schema, seed, json, Map.copyOf(objects));
    }

    /// How likely an optional member is there.
    private static double appetite(long seed, SplittableRandom random) {
        return seed <= 1 ? seed : random.nextDouble();
    }

    private static void collect(JsonNode json, JsonPointer place, Draft draft, Map<JsonPointer, List<String>> objects) {
        if (json.isObject()) {
            objects.put(place, draft.partsOf(json));
            json.properties()
                    .forEach(member ->
                            collect(member.getValue(), place.appendProperty(member.getKey()), draft, objects));
        }
        for (int i = 0; json.isArray() && i < json.size(); i++) {
            collect(json.get(i), place.appendIndex(i), draft, objects);
        }
    }
}
