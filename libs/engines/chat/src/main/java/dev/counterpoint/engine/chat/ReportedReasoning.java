package dev.counterpoint.engine.chat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.stream.Collectors;

/// Collects the arguments of a call of `report_reasoning`: all of them are reasoning, also where they are no JSON. Not
/// thread-safe.
final class ReportedReasoning {
    private static final ObjectMapper JSON = new ObjectMapper(JsonObjectEnd.JSON);

    private final StringBuilder arguments = new StringBuilder();

    void accept(String more) {
        arguments.append(more);
    }

    boolean isEmpty() {
        return text().isEmpty();
    }

    /// The values of the members, one a line.
    String text() {
        try {
            if (JSON.readTree(arguments.toString()) instanceof ObjectNode members) {
                return members.properties().stream()
                        .map(member -> member.getValue().isTextual()
                                ? member.getValue().textValue()
                                : member.getValue().toString())
                        .collect(Collectors.joining("\n"));
            }
        } catch (JsonProcessingException e) {
            // The text as it is.
        }
        return arguments.toString().strip();
    }

    /// The arguments as the model should have written them.
    String arguments() {
        return JsonNodeFactory.instance.objectNode().put("reasoning", text()).toString();
    }
}
