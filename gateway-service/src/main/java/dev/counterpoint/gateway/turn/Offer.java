package dev.counterpoint.gateway.turn;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice;
import dev.counterpoint.openai.json.WireException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The functions that a request offers to the model. Tools that run at the provider are left out, unless the request
/// insists on one. Not thread-safe.
public final class Offer {
    private static final String PARAM = "tool_choice";
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_-]{1,64}");
    private static final int FUNCTIONS_MAX = 512;

    private final List<FunctionTool> functions = new ArrayList<>();

    /// What the model is told.
    public record Terms(List<FunctionTool> functions, ToolChoice choice) {
        public Terms {
            functions = List.copyOf(functions);
        }
    }

    /// Adds a function.
    ///
    /// @param param of the name, as in `tools[0].name`
    /// @throws WireException for a name that the API does not allow, or one that is taken
    public void add(FunctionTool function, String param) {
        if (!NAME.matcher(function.name()).matches()) {
            throw Rules.invalid(param, "a name has 1 to 64 letters, digits, '_' or '-'.");
        }
        if (find(function.name()) != null) {
            throw Rules.invalid(param, "there is another function of this name.");
        }
        if (functions.size() == FUNCTIONS_MAX) {
            throw Rules.invalid("tools", "at most " + FUNCTIONS_MAX + " functions are taken.");
        }
        functions.add(function);
    }

    public static FunctionTool function(
            String name, @Nullable String description, @Nullable ObjectNode parameters, @Nullable Boolean strict) {
        return new FunctionTool(
                name,
                description == null ? "" : description,
                parameters == null ? null : parameters.toString(),
                Boolean.TRUE.equals(strict));
    }

    /// The choice by a word.
    ///
    /// @throws WireException for another word, and for a must without functions
    public Terms mode(String word) {
        Rules.oneOf(PARAM, word, List.of("auto", "none", "required"));
        return switch (word) {
            case "none" -> new Terms(functions, new ToolChoice(ToolChoice.Mode.NONE, null));
            case "required" -> required(functions);
            default -> new Terms(functions, ToolChoice.AUTO);
        };
    }

    /// The model must call this function.
    public Terms only(String name) {
        if (find(name) == null) {
            throw Rules.invalid(PARAM, "the request offers no function of this name.");
        }
        return new Terms(functions, new ToolChoice(ToolChoice.Mode.FUNCTION, name));
    }

    /// The model may or must call some of the functions. The others are not shown to it, so it cannot call them.
    ///
    /// @param mode `auto` or `required`
    public Terms allowed(String mode, List<String> names) {
        Rules.oneOf(PARAM + ".mode", mode, List.of("auto", "required"));
        var allowed = new ArrayList<FunctionTool>();
        for (var name : names) {
            var function = find(name);
            if (function == null) {
                throw Rules.invalid(PARAM + ".tools", "the request does not offer all of these functions.");
            }
            allowed.add(function);
        }
        return mode.equals("required") ? required(allowed) : new Terms(allowed, ToolChoice.AUTO);
    }

    /// The request insists on a tool that runs at the provider.
    public static WireException hosted(String type) {
        return Rules.unsupportedValue(PARAM, type, "Only functions can be called.");
    }

    private static Terms required(List<FunctionTool> functions) {
        if (functions.isEmpty()) {
            throw Rules.invalid(PARAM, "'required' needs at least one function in 'tools'.");
        }
        return new Terms(functions, new ToolChoice(ToolChoice.Mode.REQUIRED, null));
    }

    private @Nullable FunctionTool find(String name) {
        return functions.stream()
                .filter(function -> function.name().equals(name))
                .findFirst()
                .orElse(null);
    }
}
