package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.Others;

/// How a command of a shell call ended.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface ShellOutcome {
    @JsonTypeName("exit")
    record Exit(int exitCode, Others others) implements ShellOutcome {}

    /// It ran longer than its limit.
    @JsonTypeName("timeout")
    record Timeout(Others others) implements ShellOutcome {}

    /// An end that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements ShellOutcome {
        public String type() {
            return raw.path("type").asText();
        }
    }
}
