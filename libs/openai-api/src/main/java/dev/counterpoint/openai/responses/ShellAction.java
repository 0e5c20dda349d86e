package dev.counterpoint.openai.responses;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.ALWAYS;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.counterpoint.openai.json.Others;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Commands to run one after the other.
///
/// @param timeoutMs milliseconds
/// @param maxOutputLength characters of each output
public record ShellAction(
        List<String> commands,
        @JsonInclude(ALWAYS) @Nullable Long timeoutMs,
        @JsonInclude(ALWAYS) @Nullable Integer maxOutputLength,
        Others others) {
    public ShellAction {
        commands = List.copyOf(commands);
    }
}
