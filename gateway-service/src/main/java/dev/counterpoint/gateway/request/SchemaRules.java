package dev.counterpoint.gateway.request;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.openai.json.WireException;
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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The rules for the schemas of requests, in OpenAI's words. A strict schema keeps to OpenAI's subset of JSON
/// Schema; any other is at least JSON Schema. What a refusal quotes of the schema, the caller alone reads.
public final class SchemaRules {
    private static final String FUNCTION_CODE = "invalid_function_parameters";

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
        }
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
