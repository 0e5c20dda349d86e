package dev.counterpoint.gateway.request;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.schema.JsonSchemaCompiler;
import dev.counterpoint.structured.schema.SchemaOptions;
import dev.counterpoint.structured.schema.SchemaRefusedException;
import dev.counterpoint.structured.strict.SchemaOwner;
import dev.counterpoint.structured.strict.SchemaSyntax;
import dev.counterpoint.structured.strict.SchemaViolation;
import dev.counterpoint.structured.strict.StrictSchema;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Timer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The rules for the schemas of requests, in OpenAI's words. A strict schema keeps to OpenAI's subset of JSON
/// Schema; any other is at least JSON Schema. What a refusal quotes of the schema, the caller alone reads.
public final class SchemaRules {
    private static final String FUNCTION_CODE = "invalid_function_parameters";

    private static final Optional<SchemaViolation> FITS_NOTHING =
            Optional.of(new SchemaViolation("The schema fits no value."));
    private static final String UNRESOLVED = "schema_reference_unresolved: these references in schemas of the request"
            + " lead nowhere, so nothing is enforced in their places: ";
    private static final int SHOWN_MAX = 10;

    private static final Timer COMPILES = Timer.builder("counterpoint.gateway.schema.compile")
            .description("Strict schemas tried before a request is let in")
            .register(Metrics.globalRegistry);

    private SchemaRules() {}

    /// Where a format's schema stands, and OpenAI's name of the rule it may break.
    ///
    /// @param param of the schema
    /// @param code null where OpenAI has none
    public record Place(String param, @Nullable String code) {}

    /// Checks the schema of an answer.
    ///
    /// @param name of the format, which has been checked
    /// @throws WireException that names the keyword and the way to it
    static void answer(String name, JsonNode schema, boolean strict, Place place) {
        var owner = SchemaOwner.responseFormat(name);
        refuse(strict ? StrictSchema.violation(schema) : SchemaSyntax.violation(schema), owner, place);
        if (strict) {
            requireEnforceable(schema, owner, place);
        } else if (fitsNothing(schema)) {
            refuse(FITS_NOTHING, owner, place);
        }
    }

    /// Checks functions of which a call must come: some arguments must fit one of them, strict or not.
    ///
    /// @param forced at least one
    /// @param param of the parameters of the first
    /// @throws WireException that names the first
    static void callable(List<FunctionTool> forced, String param) {
        // Strict schemas and grammars were tried before.
        boolean callable = forced.stream()
                .anyMatch(function -> function.mustFit()
                        || function.parameters() == null
                        || !fitsNothing(read(function.parameters())));
        if (!callable) {
            var owner = SchemaOwner.function(forced.getFirst().name());
            refuse(FITS_NOTHING, owner, new Place(param, FUNCTION_CODE));
        }
    }

    private static boolean fitsNothing(JsonNode schema) {
        return JsonSchemaCompiler.fitsNothing(schema, SchemaOptions.LENIENT, RegexPool.shared());
    }

    /// A warning about references that lead nowhere, which only schemas without `strict` can have.
    public static Optional<String> unresolved(GenerationJob job) {
        var schemas = Stream.concat(
                Stream.ofNullable(job.format()).map(GenerationJob.ResponseFormat::schema),
                job.tools().stream().map(FunctionTool::parameters));
        var found = schemas.filter(schema -> schema != null && schema.contains("\"$ref\""))
                .flatMap(schema -> JsonSchemaCompiler.unresolvedReferences(read(schema)).stream())
                .distinct()
                .limit(SHOWN_MAX)
                .collect(Collectors.joining(", "));
        return found.isEmpty() ? Optional.empty() : Optional.of(UNRESOLVED + found);
    }

    private static JsonNode read(String schema) {
        return WireJson.read(schema.getBytes(StandardCharsets.UTF_8), JsonNode.class);
    }

    /// Checks the parameters of a function.
    ///
    /// A function that does not say is strict if its parameters are what strict mode asks for. OpenAI's
    /// Responses API rewrites other schemas until they are, which makes every optional parameter a required
    /// one; here they stay what they are.
    ///
    /// @param name which has been checked
    /// @param parameters null for none
    /// @param said whether the function is strict; null where it does not say
    /// @param param of the parameters
    /// @return whether the function is strict
    /// @throws WireException that names the keyword and the way to it
    public static boolean function(String name, @Nullable JsonNode parameters, @Nullable Boolean said, String param) {
        if (parameters == null) {
            return Boolean.TRUE.equals(said);
        }
        var violation =
                Boolean.FALSE.equals(said) ? Optional.<SchemaViolation>empty() : StrictSchema.violation(parameters);
        boolean strict = said == null ? violation.isEmpty() : said;
        var owner = SchemaOwner.function(name);
        var place = new Place(param, FUNCTION_CODE);
        refuse(strict ? violation : SchemaSyntax.violationOfParameters(parameters), owner, place);
        if (strict) {
            requireEnforceable(parameters, owner, place);
        }
        return strict;
    }

    /// Compiles the schema as workers will, so that a promise that cannot be kept is refused before anything is
    /// queued.
    private static void requireEnforceable(JsonNode schema, SchemaOwner owner, Place place) {
        try {
            COMPILES.record(() -> {
                JsonSchemaCompiler.compile(schema, SchemaOptions.STRICT, RegexPool.shared());
            });
        } catch (SchemaRefusedException e) {
            refuse(Optional.of(new SchemaViolation(String.valueOf(e.getMessage()))), owner, place);
        }
    }

    private static void refuse(Optional<SchemaViolation> violation, SchemaOwner owner, Place place) {
        violation.ifPresent(found -> {
            throw new WireException(place.param, place.code, found.message(owner));
        });
    }
}
