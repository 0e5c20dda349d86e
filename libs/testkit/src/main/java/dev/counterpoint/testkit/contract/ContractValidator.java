package dev.counterpoint.testkit.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/// Validates what we write against OpenAI's own contract (OpenAPI 3.1, so JSON Schema 2020-12).
///
/// One thing is relaxed, because OpenAI's own examples break it: `Response.usage` may be null. An event is validated
/// against the one schema of its `type`, since complaints out of a union of 58 say nothing. Safe to share between
/// threads.
public final class ContractValidator {
    private static final String CONTRACT = "openai/openai-openapi-2026-08-21.subset.json";
    private static final String HOME = "https://contract.invalid/openai.json";
    private static final String SCHEMAS = "/components/schemas/";

    private final JsonSchemaFactory factory;
    private final Map<String, String> eventSchemas;
    private final Map<String, JsonSchema> compiled = new ConcurrentHashMap<>();

    private ContractValidator(JsonNode contract) {
        this.factory = JsonSchemaFactory.getInstance(
                SpecVersion.VersionFlag.V202012,
                builder -> builder.schemaLoaders(loaders -> loaders.schemas(Map.of(HOME, contract.toString()))));
        this.eventSchemas = eventSchemas(contract);
    }

    /// The validator, or nothing when the contract is not on this machine.
    ///
    /// The folder is the system property `conformance.dir`.
    ///
    /// @throws IllegalStateException when it is not there though the system property `conformance` says `required`
    public static Optional<ContractValidator> load() {
        var file = Path.of(System.getProperty("conformance.dir", "conformance")).resolve(CONTRACT);
        if (Files.isRegularFile(file)) {
            return Optional.of(read(file));
        }
        if ("required".equals(System.getProperty("conformance"))) {
            throw new IllegalStateException("the contract is required and not at " + file);
        }
        System.out.println("No contract at " + file + ": not validated against it.");
        return Optional.empty();
    }

    /// The complaints about a stream event; empty when it keeps the contract.
    public List<String> complaintsAboutEvent(JsonNode event) {
        var schema = eventSchemas.get(event.path("type").asText());
        return schema == null ? List.of("no event has the type " + event.path("type")) : complaints(schema, event);
    }

    /// The complaints about a value under a schema of the contract, as in `Response` or `OutputItem`.
    ///
    /// @throws IllegalArgumentException when the contract has no such schema
    public List<String> complaints(String schema, JsonNode value) {
        return compiled.computeIfAbsent(schema, this::compile).validate(value).stream()
                .map(ValidationMessage::getMessage)
                .sorted()
                .toList();
    }

    /// The types of all events of the contract.
    public List<String> eventTypes() {
        return List.copyOf(eventSchemas.keySet());
    }

    private JsonSchema compile(String schema) {
        try {
            var found = factory.getSchema(SchemaLocation.of(HOME + "#" + SCHEMAS + schema));
            found.initializeValidators();
            return found;
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("the contract has no usable schema " + schema, e);
        }
    }

    private static ContractValidator read(Path file) {
        try {
            var contract = new ObjectMapper().readTree(Files.readAllBytes(file));
            if (!contract.findParents("nullable").isEmpty()) {
                throw new IllegalStateException("the contract still says nullable, which JSON Schema does not know");
            }
            return new ContractValidator(relaxed(contract));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode relaxed(JsonNode contract) {
        for (var part : contract.at(SCHEMAS + "Response/allOf")) {
            if (part.path("properties") instanceof ObjectNode members && members.has("usage")) {
                var choice = members.objectNode();
                choice.putArray("anyOf")
                        .add(members.get("usage"))
                        .add(members.objectNode().put("type", "null"));
                members.set("usage", choice);
                return contract;
            }
        }
        throw new IllegalStateException("the contract's Response has no usage");
    }

    private static Map<String, String> eventSchemas(JsonNode contract) {
        var schemas = new TreeMap<String, String>();
        for (var choice : contract.at(SCHEMAS + "ResponseStreamEvent/anyOf")) {
            var name = choice.path("$ref").asText().substring(("#" + SCHEMAS).length());
            schemas.put(contract.at(SCHEMAS + name + "/properties/type/enum/0").asText(), name);
        }
        return schemas;
    }
}
