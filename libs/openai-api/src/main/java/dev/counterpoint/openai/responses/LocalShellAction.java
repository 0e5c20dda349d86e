package dev.counterpoint.openai.responses;

import dev.counterpoint.openai.json.Others;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A command for a local shell; `type` is `exec`.
///
/// @param command the program and its arguments
/// @param timeoutMs milliseconds
public record LocalShellAction(
        String type,
        List<String> command,
        @Nullable Long timeoutMs,
        @Nullable String workingDirectory,
        Map<String, String> env,
        @Nullable String user,
        Others others) {
    public LocalShellAction {
        command = List.copyOf(command);
        env = Collections.unmodifiableMap(new LinkedHashMap<>(env));
    }
}
