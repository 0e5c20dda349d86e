package dev.counterpoint.testkit.contract;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Validates what we write against OpenAI's own [Contract], and against the one of November, where that is there and
/// has
/// a type of its own for it.
///
/// An event is validated against the one schema of its `type`, since violations out of a union of 58 say nothing. Safe
/// to share between threads.
public final class ContractValidator {
    private static final String HOME = "https://contract.invalid/openai.json";

    /// November's names of the schemas that both contracts have.
    private static final Map<String, String> NEWER = Map.ofEntries(
            Map.entry("Response", "Response"),
            Map.entry("OutputItem", "ResponseOutputItem"),
            Map.entry("InputItem", "ResponseInputItem"),
            Map.entry("ConversationItem", "ResponseItem"),
            Map.entry("Tool", "Tool"),
            Map.entry("CreateResponse", "CreateResponse"),
            Map.entry("CreateChatCompletionRequest", "CreateChatCompletionRequest"),
            Map.entry("CreateChatCompletionResponse", "ChatCompletion"),
            Map.entry("CreateChatCompletionStreamResponse", "ChatCompletionChunk"));

    private static @Nullable ContractValidator loaded;

    private final @Nullable ContractValidator newer;
    private final JsonSchemaFactory factory;
    private final Map<String, String> eventSchemas;
    private final Map<String, JsonSchema> compiled = new ConcurrentHashMap<>();

    public ContractValidator(Contract contract) {
        this(contract, null);
    }

    private ContractValidator(Contract contract, @Nullable ContractValidator newer) {
        this.newer = newer;
        this.factory = JsonSchemaFactory.getInstance(
                SpecVersion.VersionFlag.V202012,
                builder -> builder.schemaLoaders(
                        loaders -> loaders.schemas(Map.of(HOME, contract.root().toString()))));
        this.eventSchemas = eventSchemas(contract);
    }

    /// The validator, or nothing when the contract is not on this machine, as [Contract#load] says. Made once.
    public static synchronized Optional<ContractValidator> load() {
        if (loaded == null) {
            var newer = Contract.november().map(ContractValidator::new).orElse(null);
            loaded = Contract.load()
                    .map(contract -> new ContractValidator(contract, newer))
                    .orElse(null);
        }
        return Optional.ofNullable(loaded);
    }

    /// The violations of a stream event; empty when it keeps the contract.
    public List<String> eventViolations(JsonNode event) {
        var schema = eventSchemas.get(event.path("type").asText());
        var found = schema == null ? null : violations(schema, event);
        if (newer == null) {
            return found == null ? List.of("no event has the type " + event.path("type")) : found;
        }
        return both(found == null ? List.of() : found, newer.eventViolations(event));
    }

    private static List<String> both(List<String> older, List<String> newer) {
        return Stream.concat(older.stream(), newer.stream().map(violation -> "November: " + violation))
                .toList();
    }

    /// The violations of a value under a schema of the contract, as in `Response` or `OutputItem`.
    ///
    /// @throws IllegalArgumentException when the contract has no such schema
    public List<String> violations(String schema, JsonNode value) {
        var found = validate(Contract.pointer(schema), value).stream()
                .map(ValidationMessage::getMessage)
                .sorted()
                .toList();
        var name = NEWER.get(schema);
        return newer == null || name == null ? found : both(found, newer.violations(name, value));
    }

    /// The types of all events of the contract.
    public List<String> eventTypes() {
        return List.copyOf(eventSchemas.keySet());
    }

    /// Whether a value keeps the schema at a place of the contract.
    boolean accepts(String pointer, JsonNode value) {
        return validate(pointer, value).isEmpty();
    }

    private Set<ValidationMessage> validate(String pointer, JsonNode value) {
        return compiled.computeIfAbsent(pointer, this::compile).validate(value);
    }

    private JsonSchema compile(String pointer) {
        try {
            var found = factory.getSchema(SchemaLocation.of(HOME + "#" + pointer));
            found.initializeValidators();
            return found;
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("the contract has no usable schema at " + pointer, e);
        }
    }

    private static Map<String, String> eventSchemas(Contract contract) {
        var union = Contract.pointer("ResponseStreamEvent") + "/anyOf";
        var schemas = new TreeMap<String, String>();
        for (int i = 0; i < contract.at(union).size(); i++) {
            var name = requireNonNull(contract.reference(union + "/" + i));
            schemas.put(
                    contract.at(Contract.pointer(name) + "/properties/type/enum/0")
                            .asText(),
                    name);
        }
        return schemas;
    }
}
