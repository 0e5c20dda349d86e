package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.bus.job.GenerationJob.InputGrammar;
import dev.counterpoint.gateway.request.InputGrammars;
import dev.counterpoint.gateway.request.OfferedTools;
import dev.counterpoint.gateway.request.RequestRules;
import dev.counterpoint.gateway.request.SchemaRules;
import dev.counterpoint.gateway.request.ToolName;
import dev.counterpoint.openai.json.Others;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.CustomFormat;
import dev.counterpoint.openai.responses.Tool;
import dev.counterpoint.openai.responses.ToolChoice;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The tools of a request to the Responses API: what of them the model is offered, and what of them the response
/// repeats. Functions and custom tools run at the client; all others would run here, and none does.
final class ResponsesTools {
    /// OpenAI's, of a function at the top or in a namespace.
    private static final int NAME_MAX = 128;
    /// OpenAI's, of the namespace in the items that name it.
    private static final int NAMESPACE_MAX = 64;

    private ResponsesTools() {}

    /// The terms that the model is told.
    ///
    /// @throws WireException that names the member
    static OfferedTools.Terms terms(CreateResponse request) {
        var offer = offer(Objects.requireNonNullElse(request.tools(), List.of()), "tools");
        return switch (Objects.requireNonNullElse(request.toolChoice(), ToolChoice.Mode.AUTO)) {
            case ToolChoice.Mode(String word) -> offer.mode(word);
            case ToolChoice.Function(String name, var _) ->
                offer.only(new OfferedTools.Named(name, false), "tool_choice.name");
            case ToolChoice.Custom(String name, var _) ->
                offer.only(new OfferedTools.Named(name, true), "tool_choice.name");
            case ToolChoice.AllowedTools(String mode, var tools, var _) -> offer.allowed(mode, allowed(mode, tools));
            case ToolChoice.Other other -> throw OfferedTools.hosted("tool_choice", other.type());
        };
    }

    /// The tools with more of them, each in the place of one of the same name.
    static List<Tool> with(List<Tool> tools, List<Tool> more) {
        var all = new ArrayList<>(tools);
        for (var tool : more) {
            all.removeIf(other -> name(other).equals(name(tool)));
            all.add(tool);
        }
        return all;
    }

    private static ToolName name(Tool tool) {
        return switch (tool) {
            case Tool.Function function -> ToolName.of(function.name());
            case Tool.Custom custom -> ToolName.of(custom.name());
            case Tool.Namespace space -> new ToolName(space.name(), "");
            case Tool hosted -> new ToolName("", hosted.type());
        };
    }

    /// The tools as they came, without what only a server's own requests to others would need.
    static List<Tool> withoutSecrets(List<Tool> tools) {
        return tools.stream()
                .map(tool -> tool instanceof Tool.Mcp mcp ? withoutSecrets(mcp) : tool)
                .toList();
    }

    /// The names of the custom tools among them.
    static Set<ToolName> custom(List<Tool> tools) {
        return names(tools, Tool.Custom.class::isInstance);
    }

    /// The names of the custom tools with a grammar.
    static Set<ToolName> withGrammar(List<Tool> tools) {
        return names(
                tools, tool -> tool instanceof Tool.Custom custom && custom.format() instanceof CustomFormat.Grammar);
    }

    /// The names of the tools after whose calls the model continues.
    static Set<ToolName> async(List<Tool> tools) {
        return names(tools, tool -> Boolean.TRUE.equals(tool.async()));
    }

    private static Set<ToolName> names(List<Tool> tools, Predicate<Tool> which) {
        var names = new HashSet<ToolName>();
        for (var tool : tools) {
            if (tool instanceof Tool.Namespace space) {
                names(space.tools(), which).forEach(inner -> names.add(new ToolName(space.name(), inner.name())));
            } else if (which.test(tool)) {
                names.add(name(tool));
            }
        }
        return names;
    }

    /// True if the model is told of this tool.
    static boolean isOffered(Tool tool) {
        return tool instanceof Tool.Function || tool instanceof Tool.Custom || tool instanceof Tool.Namespace;
    }

    /// @param list member that holds them, as in `tools`
    /// @throws WireException that names the member
    static OfferedTools offer(List<Tool> tools, String list) {
        var offer = new OfferedTools();
        for (int i = 0; i < tools.size(); i++) {
            var param = list + "[" + i + "]";
            var tool = tools.get(i);
            OfferedTools.requireType(tool.type(), param + ".type");
            if (tool instanceof Tool.Namespace space) {
                expand(space, param, offer);
            } else if (isOffered(tool)) {
                offer.add(entry(null, tool, param), param + ".name");
            }
        }
        return offer;
    }

    /// The model has one list of functions, so a namespace becomes part of the names of its tools, and what it is about
    /// is told with the first of them.
    private static void expand(Tool.Namespace space, String param, OfferedTools offer) {
        OfferedTools.requireName(space.name(), NAMESPACE_MAX, param + ".name");
        for (int i = 0; i < space.tools().size(); i++) {
            var place = param + ".tools[" + i + "]";
            var about = i == 0 && !space.description().isEmpty() ? space.description() + "\n" : "";
            var entry = entry(space.name(), space.tools().get(i), place);
            offer.add(entry.about(about), place + ".name");
        }
    }

    private static OfferedTools.Entry entry(@Nullable String namespace, Tool tool, String param) {
        if (tool instanceof Tool.Function function) {
            OfferedTools.requireName(function.name(), NAME_MAX, param + ".name");
            requireDirect(function.allowedCallers(), param);
            var parameters = function.parameters();
            boolean strict =
                    SchemaRules.function(function.name(), parameters, function.strict(), param + ".parameters");
            var name = new ToolName(namespace, function.name());
            return OfferedTools.Entry.function(name, function.description(), parameters, strict)
                    .async(function.async());
        }
        if (tool instanceof Tool.Custom custom) {
            OfferedTools.requireName(custom.name(), NAME_MAX, param + ".name");
            requireDirect(custom.allowedCallers(), param);
            var grammar = grammar(custom.format(), param + ".format");
            return OfferedTools.Entry.custom(new ToolName(namespace, custom.name()), custom.description(), grammar)
                    .async(custom.async());
        }
        throw RequestRules.unsupportedValue(
                param + ".type", tool.type(), "A namespace holds functions and custom tools.");
    }

    /// No program calls tools here, so one that only programs may call is out of reach.
    private static void requireDirect(@Nullable List<String> callers, String param) {
        if (callers != null && !callers.contains("direct")) {
            throw RequestRules.unsupported(param + ".allowed_callers", "It has to hold 'direct'.");
        }
    }

    private static @Nullable InputGrammar grammar(@Nullable CustomFormat format, String param) {
        return switch (format) {
            case null -> null;
            case CustomFormat.Text _ -> null;
            case CustomFormat.Grammar(String syntax, String definition, var _) ->
                InputGrammars.of(syntax, definition, param);
            case CustomFormat.Unknown unknown ->
                throw RequestRules.notOneOf(
                        param + ".type", unknown.raw().path("type").asText(), List.of("text", "grammar"));
        };
    }

    /// A tool that does not run is left out of what may be called, and refused where nothing else may be.
    private static List<OfferedTools.Named> allowed(String mode, List<ToolChoice.AllowedTool> tools) {
        var named = new ArrayList<OfferedTools.Named>();
        for (int i = 0; i < tools.size(); i++) {
            var tool = tools.get(i);
            boolean custom = tool.type().equals("custom");
            if (custom || tool.type().equals("function")) {
                if (tool.name() == null) {
                    throw RequestRules.missing("tool_choice.tools[" + i + "].name");
                }
                named.add(new OfferedTools.Named(tool.name(), custom));
            }
        }
        if (mode.equals("required") && named.isEmpty() && !tools.isEmpty()) {
            throw OfferedTools.hosted("tool_choice.tools[0]", tools.getFirst().type());
        }
        return named;
    }

    private static Tool.Mcp withoutSecrets(Tool.Mcp mcp) {
        return new Tool.Mcp(
                mcp.serverLabel(),
                mcp.serverUrl(),
                mcp.connectorId(),
                mcp.tunnelId(),
                null,
                mcp.serverDescription(),
                null,
                mcp.allowedTools(),
                mcp.allowedCallers(),
                mcp.requireApproval(),
                mcp.deferLoading(),
                Others.NONE);
    }
}
