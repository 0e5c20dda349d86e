package dev.counterpoint.openai.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import dev.counterpoint.openai.json.RuleViolation.Rule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Translates Jackson's errors into the API's errors.
final class Refusal {
    private Refusal() {}

    /// Bytes that are not JSON at all. Jackson's own message quotes the body, so only the place is told.
    static WireException notJson(JsonProcessingException problem) {
        if (problem instanceof StreamConstraintsException) {
            return new WireException(null, null, "The JSON body is too large or nested too deeply.");
        }
        var place = problem.getLocation();
        var where = place == null ? "" : " (line " + place.getLineNr() + ", column " + place.getColumnNr() + ")";
        return new WireException(null, null, "We could not parse the JSON body of your request" + where + ".");
    }

    static WireException of(JsonMappingException problem, JsonNode body) {
        var steps = steps(problem);
        var path = path(steps);
        var found = at(body, steps);
        var rule = rule(problem, found);
        var member = path == null ? "the request body" : "'" + path + "'";
        return new WireException(path, rule.code(), rule.about(member, Shape.wordsFor(found)));
    }

    private static Rule rule(JsonMappingException problem, JsonNode found) {
        return switch (problem) {
            case RuleViolation violation -> violation.rule();
            case InvalidTypeIdException wrong -> wrongTag(wrong);
            case InvalidFormatException wrong
            when isEnum(wrong.getTargetType()) && found.isTextual() ->
                new Rule.WrongValue(found.textValue(), names(wrong.getTargetType()));
            case MismatchedInputException _ when found.isMissingNode() -> new Rule.Missing();
            case MismatchedInputException wrong
            when wrong.getTargetType() != null -> new Rule.WrongType(expected(wrong.getTargetType()));
            case JsonMappingException other
            when other.getCause() instanceof InputCoercionException -> new Rule.OutOfRange();
            case JsonMappingException other
            when other.getCause() instanceof InvalidMember invalid -> new Rule.Conflict(invalid.why());
            default -> new Rule.Other();
        };
    }

    private static Rule wrongTag(InvalidTypeIdException wrong) {
        return wrong.getTypeId() == null
                ? new Rule.Missing()
                : new Rule.WrongValue(wrong.getTypeId(), union(wrong).tagged().keySet());
    }

    private static Union union(InvalidTypeIdException wrong) {
        return Union.of(wrong.getBaseType().getRawClass());
    }

    private static String expected(Class<?> type) {
        if (type.isInterface() && type.isSealed()) {
            return Union.of(type).expected();
        }
        var bare = Union.bare(type);
        return Shape.of(bare == null ? type : bare.getType()).words();
    }

    private static boolean isEnum(@Nullable Class<?> type) {
        return type != null && type.isEnum();
    }

    private static List<String> names(Class<?> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(constant -> WireJson.tree(constant).asText())
                .toList();
    }

    /// The way to the member; Jackson leaves out the tag that it could not read, and what a record refused itself.
    private static List<Reference> steps(JsonMappingException problem) {
        var steps = new ArrayList<>(problem.getPath());
        if (problem instanceof InvalidTypeIdException wrong && union(wrong).tag() instanceof String tag) {
            steps.add(new Reference(null, tag));
        }
        if (problem.getCause() instanceof InvalidMember invalid) {
            steps.add(new Reference(null, invalid.member()));
        }
        return steps;
    }

    private static @Nullable String path(List<Reference> steps) {
        var path = new StringBuilder();
        for (var step : steps) {
            if (step.getFieldName() == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(RequestEcho.of(step.getFieldName()));
            }
        }
        return path.isEmpty() ? null : path.toString();
    }

    private static JsonNode at(JsonNode body, List<Reference> steps) {
        var node = body;
        for (var step : steps) {
            node = step.getFieldName() == null ? node.path(step.getIndex()) : node.path(step.getFieldName());
        }
        return node;
    }
}
