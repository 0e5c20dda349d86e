package dev.counterpoint.validator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import java.util.List;

/// Whether an event can be read as its record, which has every required member and no wrong type.
final class SchemaCheck {
    private static final String MISSING = "missing_required_parameter";

    private SchemaCheck() {}

    /// @param type the record or family that it must be
    /// @return whether it is
    static boolean holds(JsonNode event, Class<?> type, StreamViolations violations) {
        try {
            WireJson.read(event, type);
            return true;
        } catch (WireException broken) {
            violations.add(
                    ValidationRule.SCHEMA,
                    MISSING.equals(broken.code()) ? "the member " + broken.param() + " is missing" : broken.message());
            return false;
        }
    }

    /// Whether the members are all there; the contract lets them be null, so that their record would do without.
    static boolean present(JsonNode object, String path, List<String> members, StreamViolations violations) {
        boolean all = true;
        for (var member : members) {
            if (!object.has(member)) {
                violations.add(ValidationRule.SCHEMA, "the member " + path + member + " is missing");
                all = false;
            }
        }
        return all;
    }
}
