package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.Tool;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// The members of a request to the Responses API that are taken and do nothing; API.md gives the reason for each.
final class IneffectiveFields {
    private static final Set<String> MEMBERS =
            Set.of("max_tool_calls", "prompt_cache_key", "prompt_cache_options", "prompt_cache_retention");

    private IneffectiveFields() {}

    /// Paths, such as `tools[1]` for a tool that would run at the provider.
    static Set<String> of(CreateResponse request) {
        var paths = new HashSet<>(MEMBERS);
        var tools = Objects.requireNonNullElse(request.tools(), List.<Tool>of());
        for (int i = 0; i < tools.size(); i++) {
            if (!ResponsesTools.isOffered(tools.get(i))) {
                paths.add("tools[" + i + "]");
            }
        }
        var includes = Objects.requireNonNullElse(request.include(), List.<String>of());
        for (int i = 0; i < includes.size(); i++) {
            if (InputItems.OF_HOSTED.contains(includes.get(i))) {
                paths.add("include[" + i + "]");
            }
        }
        return paths;
    }
}
