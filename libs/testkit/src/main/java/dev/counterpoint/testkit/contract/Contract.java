package dev.counterpoint.testkit.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.testkit.ConformanceFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// OpenAI's own contract (OpenAPI 3.1, so JSON Schema 2020-12) with the repairs without which it refuses what OpenAI
/// itself sends:
///
/// * `Response.usage` may be null, as in OpenAI's examples of responses under way;
/// * `InputItem` is any of its forms, not exactly one: a full message with a role is an easy one too;
/// * `CompoundFilter` refers to itself in the words of 2020-12, which no longer knows `$recursiveRef`.
///
/// The bodies that the paths describe in place are schemas too, as in `updateChatCompletionRequest`.
///
/// Treat its trees as immutable; then it is safe to share between threads.
public final class Contract {
    private static final String AUGUST = "openai/openai-openapi-2026-08-21.subset.json";
    private static final String NOVEMBER = "openai/openai-2026-11-17.json";
    private static final String SCHEMAS = "/components/schemas/";

    private static @Nullable Contract loaded;

    private final JsonNode root;

    private Contract(JsonNode root) {
        this.root = root;
    }

    /// The contract, or nothing when it is not on this machine, as [ConformanceFiles#find] says. Read once.
    public static synchronized Optional<Contract> load() {
        if (loaded == null) {
            loaded = ConformanceFiles.find(AUGUST).map(Contract::read).orElse(null);
        }
        return Optional.ofNullable(loaded);
    }

    /// The types of OpenAI's own clients of 17 November 2026 as JSON Schema, without paths. Of numbers it
    /// says neither their range nor which are whole, and it requires less than the service sends. Not there as
    /// [#load] says.
    public static Optional<Contract> november() {
        return ConformanceFiles.find(NOVEMBER).map(file -> new Contract(NovemberTypes.read(file)));
    }

    /// The names of all schemas that a path leads to.
    public SortedSet<String> schemas() {
        return below(entrances());
    }

    /// The names of the schemas that the paths name themselves: those of bodies and parameters.
    public SortedSet<String> entrances() {
        var names = new TreeSet<>(references(root.path("paths")));
        for (var operations : root.path("paths")) {
            for (var operation : operations) {
                if (root.at(SCHEMAS + requestOf(operation)).isObject()) {
                    names.add(requestOf(operation));
                }
            }
        }
        return names;
    }

    /// The named schema and all that it leads to.
    public SortedSet<String> below(String schema) {
        return below(Set.of(schema));
    }

    private SortedSet<String> below(Set<String> names) {
        var found = new TreeSet<String>();
        var next = new ArrayList<>(names);
        while (!next.isEmpty()) {
            var name = next.removeLast();
            if (found.add(name)) {
                next.addAll(references(at(pointer(name))));
            }
        }
        return found;
    }

    /// Where a schema stands, for [#at].
    public static String pointer(String schema) {
        return SCHEMAS + schema;
    }

    /// The schema at a place of the contract.
    ///
    /// @throws IllegalArgumentException when nothing stands there
    public JsonNode at(String pointer) {
        var node = root.at(pointer);
        if (node.isMissingNode()) {
            throw new IllegalArgumentException("the contract has nothing at " + pointer);
        }
        return node;
    }

    /// The name of the schema that the one at `pointer` stands for, or null when it stands for itself.
    public @Nullable String reference(String pointer) {
        var reference = at(pointer).path("$ref").textValue();
        return reference == null ? null : name(reference);
    }

    /// The places of the schemas that together are the one at `pointer`, which itself may refer to another or be
    /// composed of several: a value keeps all of them.
    public List<String> parts(String pointer) {
        var reference = reference(pointer);
        if (reference != null) {
            return parts(pointer(reference));
        }
        var schema = at(pointer);
        var parts = new ArrayList<String>();
        for (int i = 0; i < schema.path("allOf").size(); i++) {
            parts.addAll(parts(pointer + "/allOf/" + i));
        }
        if (!schema.has("allOf") || schema.has("properties")) {
            parts.add(pointer);
        }
        return List.copyOf(parts);
    }

    JsonNode root() {
        return root;
    }

    private static String requestOf(JsonNode operation) {
        return operation.path("operationId").asText() + "Request";
    }

    private static String name(String reference) {
        return reference.substring(reference.lastIndexOf('/') + 1);
    }

    private List<String> references(JsonNode node) {
        return node.findValuesAsText("$ref").stream()
                .flatMap(reference -> reference.startsWith("#" + SCHEMAS)
                        ? List.of(name(reference)).stream()
                        : references(root.at(reference.substring(1))).stream())
                .toList();
    }

    private static Contract read(Path file) {
        try {
            var contract = new ObjectMapper().readTree(Files.readAllBytes(file));
            if (!contract.findParents("nullable").isEmpty()) {
                throw new IllegalStateException("the contract still says nullable, which JSON Schema does not know");
            }
            letUsageBeNull(contract);
            letInputItemsBeOfTwoForms((ObjectNode) contract.at(SCHEMAS + "InputItem"));
            letFiltersHoldThemselves((ObjectNode) contract.at(SCHEMAS + "CompoundFilter/properties/filters/items"));
            nameTheRequests(contract);
            return new Contract(contract);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void letUsageBeNull(JsonNode contract) {
        for (var part : contract.at(SCHEMAS + "Response/allOf")) {
            if (part.path("properties") instanceof ObjectNode members && members.has("usage")) {
                var choice = members.objectNode();
                choice.putArray("anyOf")
                        .add(members.get("usage"))
                        .add(members.objectNode().put("type", "null"));
                members.set("usage", choice);
                return;
            }
        }
        throw new IllegalStateException("the contract's Response has no usage");
    }

    private static void letInputItemsBeOfTwoForms(ObjectNode inputItem) {
        inputItem.set("anyOf", inputItem.remove("oneOf"));
    }

    private static void letFiltersHoldThemselves(ObjectNode filter) {
        if (!(filter.path("oneOf").path(1) instanceof ObjectNode itself) || itself.remove("$recursiveRef") == null) {
            throw new IllegalStateException("the contract's CompoundFilter does not hold itself");
        }
        itself.put("$ref", "#" + SCHEMAS + "CompoundFilter");
    }

    private static void nameTheRequests(JsonNode contract) {
        var schemas = (ObjectNode) contract.at("/components/schemas");
        for (var operations : contract.path("paths")) {
            for (var operation : operations) {
                var body = operation.at("/requestBody/content/application~1json/schema");
                if (body.isObject() && !body.has("$ref")) {
                    schemas.set(requestOf(operation), body);
                }
            }
        }
    }
}
