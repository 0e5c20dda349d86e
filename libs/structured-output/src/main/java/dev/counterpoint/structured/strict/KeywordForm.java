package dev.counterpoint.structured.strict;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The form that a keyword's value must have. Schemas inside it are judged on their own.
enum KeywordForm {
    SCHEMA,
    SCHEMAS,
    SCHEMA_OR_SCHEMAS,
    SCHEMA_MAP,
    NAMES,
    NAMES_MAP,
    DEPENDENCIES,
    TYPE,
    LIST,
    COUNT,
    NUMBER,
    NUMBER_OR_FLAG,
    POSITIVE,
    FLAG,
    TEXT;

    static final Set<String> TYPES = Set.of("string", "number", "integer", "boolean", "object", "array", "null");

    /// The fault of the value in the words of Python's `jsonschema`; null for none.
    @Nullable
    String fault(JsonNode value) {
        return switch (this) {
            case SCHEMA -> null; // judged as a schema
            case SCHEMAS -> schemas(value);
            case SCHEMA_OR_SCHEMAS -> value.isArray() ? null : unless(isSchema(value), value, "'object', 'boolean'");
            case SCHEMA_MAP -> unless(value.isObject(), value, "'object'");
            case NAMES -> names(value);
            case NAMES_MAP -> map(value, false);
            case DEPENDENCIES -> map(value, true);
            case TYPE -> isType(value) ? null : PythonText.repr(value) + " is not valid under any of the given schemas";
            case LIST -> unless(value.isArray(), value, "'array'");
            case COUNT -> count(value);
            case NUMBER -> unless(value.isNumber(), value, "'number'");
            case NUMBER_OR_FLAG -> unless(value.isNumber() || value.isBoolean(), value, "'number'");
            case POSITIVE -> positive(value);
            case FLAG -> unless(value.isBoolean(), value, "'boolean'");
            case TEXT -> unless(value.isTextual(), value, "'string'");
        };
    }

    private static @Nullable String unless(boolean right, JsonNode value, String types) {
        return right ? null : PythonText.repr(value) + " is not of type " + types;
    }

    private static boolean isSchema(JsonNode value) {
        return value.isObject() || value.isBoolean();
    }

    private static @Nullable String schemas(JsonNode value) {
        if (!value.isArray()) {
            return unless(false, value, "'array'");
        }
        return value.isEmpty() ? "[] should be non-empty" : null;
    }

    private static @Nullable String names(JsonNode value) {
        if (!value.isArray()) {
            return unless(false, value, "'array'");
        }
        var seen = new HashSet<String>();
        for (var name : value) {
            if (!name.isTextual()) {
                return unless(false, name, "'string'");
            }
            if (!seen.add(name.textValue())) {
                return PythonText.repr(value) + " has non-unique elements";
            }
        }
        return null;
    }

    private static @Nullable String map(JsonNode value, boolean schemasToo) {
        if (!value.isObject()) {
            return unless(false, value, "'object'");
        }
        for (var entry : value) {
            var fault = schemasToo && isSchema(entry) ? null : names(entry);
            if (fault != null) {
                return fault;
            }
        }
        return null;
    }

    private static boolean isType(JsonNode value) {
        if (!value.isArray()) {
            return value.isTextual() && TYPES.contains(value.textValue());
        }
        var seen = new HashSet<String>();
        for (var name : value) {
            if (!name.isTextual() || !TYPES.contains(name.textValue()) || !seen.add(name.textValue())) {
                return false;
            }
        }
        return !value.isEmpty();
    }

    private static @Nullable String count(JsonNode value) {
        if (!isWhole(value)) {
            return unless(false, value, "'integer'");
        }
        return sign(value) < 0 ? PythonText.repr(value) + " is less than the minimum of 0" : null;
    }

    private static @Nullable String positive(JsonNode value) {
        if (!value.isNumber()) {
            return unless(false, value, "'number'");
        }
        return sign(value) > 0 ? null : PythonText.repr(value) + " is less than or equal to the minimum of 0";
    }

    /// True for 2 and 2.0.
    static boolean isWhole(JsonNode value) {
        if (value.isDouble() || value.isFloat()) {
            return Double.isFinite(value.doubleValue()) && Math.rint(value.doubleValue()) == value.doubleValue();
        }
        return value.isIntegralNumber()
                || value.isBigDecimal()
                        && (sign(value) == 0
                                || value.decimalValue().stripTrailingZeros().scale() <= 0);
    }

    private static int sign(JsonNode number) {
        // A double may be infinite, which no decimal is.
        return number.isDouble() || number.isFloat()
                ? (int) Math.signum(number.doubleValue())
                : number.decimalValue().signum();
    }
}
