package dev.counterpoint.gateway.turn;

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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The rules for the schemas of requests, in OpenAI's words. A strict schema keeps to OpenAI's subset of JSON
/// Schema; any other is at least JSON Schema. What a refusal quotes of the schema, the caller alone reads.
public final class SchemaRules {
    private static final String FUNCTION_CODE = "invalid_function_parameters";

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
    /// @param name which has been checked
    /// @param parameters null for none
    /// @param param of the parameters
    /// @throws WireException that names the keyword and the way to it
    public static void function(String name, @Nullable JsonNode parameters, boolean strict, String param) {
        if (parameters != null) {
            var owner = SchemaOwner.function(name);
            var place = new Place(param, FUNCTION_CODE);
            refuse(
                    strict ? StrictSchema.violation(parameters) : SchemaSyntax.violationOfParameters(parameters),
                    owner,
                    place);
            if (strict) {
                requireEnforceable(parameters, owner, place);
            }
        }
    }

    /// True if a function that does not say is strict: its parameters are what strict mode asks for.
    /// OpenAI's Responses API rewrites other schemas until they are, which makes every optional
    /// parameter a required one; here they stay what they are.
    public static boolean isStrictByItself(@Nullable JsonNode parameters) {
        return parameters != null && StrictSchema.violation(parameters).isEmpty();
    }

    /// Compiles the schema as workers will, so that a promise that cannot be kept is refused before anything is
    /// queued.
    private static void requireEnforceable(JsonNode schema, SchemaOwner owner, Place place) {
        try {
            JsonSchemaCompiler.compile(schema, SchemaOptions.STRICT, RegexPool.shared());
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
