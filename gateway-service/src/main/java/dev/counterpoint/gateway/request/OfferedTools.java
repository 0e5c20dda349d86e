package dev.counterpoint.gateway.request;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.bus.job.GenerationJob.InputGrammar;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice;
import dev.counterpoint.openai.json.WireException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The tools of the client that a request offers to the model: functions, and custom tools as functions of one text.
/// Tools that run at the provider are left out, unless the request insists on one. Not thread-safe.
public final class OfferedTools {
    private static final String PARAM = "tool_choice";
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_-]+");
    private static final int TOOLS_MAX = 512;
    /// All that the API knows, served here or not.
    private static final List<String> TYPES = List.of(
            "function",
            "custom",
            "namespace",
            "apply_patch",
            "code_interpreter",
            "computer",
            "computer_use_preview",
            "file_search",
            "image_generation",
            "local_shell",
            "mcp",
            "programmatic_tool_calling",
            "shell",
            "tool_search",
            "web_search",
            "web_search_2025_08_26",
            "web_search_preview",
            "web_search_preview_2025_03_11");

    private final Map<String, Entry> entries = new LinkedHashMap<>();
    /// Where the request has the schemas of tools, by their whole names.
    private final Map<String, String> schemas = new HashMap<>();

    /// A tool of the client.
    ///
    /// @param custom whether it takes text instead of arguments
    /// @param function as the model is shown it
    public record Entry(ToolName name, boolean custom, FunctionTool function) {
        public static Entry function(
                ToolName name, @Nullable String description, @Nullable ObjectNode parameters, boolean strict) {
            var shown = new FunctionTool(
                    name.whole(),
                    description == null ? "" : description,
                    parameters == null ? null : parameters.toString(),
                    strict);
            return new Entry(name, false, shown);
        }

        /// @param grammar of its text; null for any
        public static Entry custom(ToolName name, @Nullable String description, @Nullable InputGrammar grammar) {
            var schema = grammar == null ? CustomInput.SCHEMA : CustomInput.PLAIN_SCHEMA;
            var shown = new FunctionTool(
                    name.whole(), description == null ? "" : description, schema, false, grammar, false);
            return new Entry(name, true, shown);
        }

        /// The same with something told before its description.
        public Entry about(String text) {
            return new Entry(name, custom, function.with(text + function.description(), function.async()));
        }

        /// @param async whether the model continues without the results
        public Entry async(@Nullable Boolean async) {
            return new Entry(name, custom, function.with(function.description(), Boolean.TRUE.equals(async)));
        }
    }

    /// A tool that a request names in its choice.
    ///
    /// @param custom whether it says that it is a custom tool, else a function
    public record Named(String name, boolean custom) {}

    /// The terms that the model is told.
    public record Terms(List<FunctionTool> functions, ToolChoice choice) {
        public Terms {
            functions = List.copyOf(functions);
        }
    }

    /// Adds a tool.
    ///
    /// @param param of the name, as in `tools[0].name`
    /// @throws WireException for a name that is taken
    public void add(Entry entry, String param) {
        if (entries.containsKey(entry.name.whole())) {
            throw RequestRules.invalid(param, "there is another function or custom tool of this name.");
        }
        if (entries.size() == TOOLS_MAX) {
            throw RequestRules.invalid("tools", "at most " + TOOLS_MAX + " functions and custom tools are taken.");
        }
        entries.put(entry.name.whole(), entry);
        schemas.put(entry.name.whole(), param.replaceFirst("name$", "parameters"));
    }

    /// @throws WireException for a type of tool that the API does not know, which is a typing error as a rule
    public static void requireType(String type, String param) {
        RequestRules.oneOf(param, type, TYPES);
    }

    /// @param max number of characters, as the API has it for this place
    /// @throws WireException for a name that the API does not allow
    public static void requireName(String name, int max, String param) {
        if (name.length() > max || !NAME.matcher(name).matches()) {
            throw RequestRules.invalid(param, "a name has 1 to " + max + " letters, digits, '_' or '-'.");
        }
    }

    /// The choice by a word.
    ///
    /// @throws WireException for another word, and for a must without tools
    public Terms mode(String word) {
        RequestRules.oneOf(PARAM, word, List.of("auto", "none", "required"));
        return switch (word) {
            case "none" -> new Terms(functions(), new ToolChoice(ToolChoice.Mode.NONE, null));
            case "required" -> required(functions());
            default -> new Terms(functions(), ToolChoice.AUTO);
        };
    }

    /// The model must call this tool.
    ///
    /// @param param of its name
    public Terms only(Named wanted, String param) {
        var function = find(wanted, param);
        requireCallable(List.of(function));
        return new Terms(functions(), new ToolChoice(ToolChoice.Mode.FUNCTION, function.name()));
    }

    /// The model may or must call some of the tools. The others are not shown to it, so it cannot call them.
    ///
    /// @param mode `auto` or `required`
    public Terms allowed(String mode, List<Named> tools) {
        RequestRules.oneOf(PARAM + ".mode", mode, List.of("auto", "required"));
        var allowed = new ArrayList<FunctionTool>();
        for (var tool : tools) {
            allowed.add(find(tool, PARAM + ".tools"));
        }
        return mode.equals("required") ? required(allowed) : new Terms(allowed, ToolChoice.AUTO);
    }

    /// The request insists on a tool that runs at the provider.
    ///
    /// @param param where it does
    public static WireException hosted(String param, String type) {
        return RequestRules.unsupportedValue(
                param, type, "Only functions and custom tools can be forced; no other tool runs.");
    }

    private Terms required(List<FunctionTool> functions) {
        if (functions.isEmpty()) {
            throw RequestRules.invalid(
                    PARAM, "'required' needs at least one function or custom tool that may be called.");
        }
        requireCallable(functions);
        return new Terms(functions, new ToolChoice(ToolChoice.Mode.REQUIRED, null));
    }

    private void requireCallable(List<FunctionTool> forced) {
        SchemaRules.callable(forced, schemas.getOrDefault(forced.getFirst().name(), PARAM));
    }

    private List<FunctionTool> functions() {
        return entries.values().stream().map(Entry::function).toList();
    }

    /// A tool in a namespace answers to its whole name, and to its own where no other tool has it.
    private FunctionTool find(Named wanted, String param) {
        var exact = entries.get(wanted.name);
        var found = exact != null
                ? List.of(exact)
                : entries.values().stream()
                        .filter(entry -> entry.name.name().equals(wanted.name))
                        .toList();
        if (found.size() > 1) {
            throw RequestRules.invalid(param, "several namespaces have a tool of this name; say 'namespace.name'.");
        }
        if (found.isEmpty() || found.getFirst().custom != wanted.custom) {
            var kind = wanted.custom ? "custom tool" : "function";
            throw RequestRules.invalid(param, "the request offers no " + kind + " of this name.");
        }
        return found.getFirst().function;
    }
}
