package dev.counterpoint.gateway.api.chat;

import dev.counterpoint.gateway.turn.OfferedTools;
import dev.counterpoint.gateway.turn.RequestRules;
import dev.counterpoint.gateway.turn.SchemaRules;
import dev.counterpoint.gateway.turn.ToolName;
import dev.counterpoint.openai.chat.AllowedTool;
import dev.counterpoint.openai.chat.ChatCustomFormat;
import dev.counterpoint.openai.chat.ChatRequest;
import dev.counterpoint.openai.chat.ChatTool;
import dev.counterpoint.openai.chat.ChatToolChoice;
import dev.counterpoint.openai.chat.FunctionDefinition;
import dev.counterpoint.openai.chat.FunctionName;
import dev.counterpoint.openai.json.WireException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The tools of a request to Chat Completions: functions and custom tools, which all run at the client. A tool of
/// another kind is not offered to the model.
final class ChatTools {
    private ChatTools() {}

    /// The terms that the model is told.
    ///
    /// @throws WireException that names the member
    static OfferedTools.Terms terms(ChatRequest request) {
        var offer = offer(tools(request));
        return switch (request.toolChoice()) {
            case null -> offer.mode("auto");
            case ChatToolChoice.Mode(String word) -> offer.mode(word);
            case ChatToolChoice.Function(FunctionName function) ->
                offer.only(new OfferedTools.Named(function.name(), false), "tool_choice.function.name");
            case ChatToolChoice.Custom(FunctionName custom) ->
                offer.only(new OfferedTools.Named(custom.name(), true), "tool_choice.custom.name");
            case ChatToolChoice.AllowedTools(ChatToolChoice.Allowed allowed) ->
                offer.allowed(allowed.mode(), allowed(allowed));
            case ChatToolChoice.Unknown other -> throw OfferedTools.hosted("tool_choice", other.type());
        };
    }

    /// The names of the custom tools.
    static List<String> custom(ChatRequest request) {
        return tools(request).stream()
                .filter(ChatTool.Custom.class::isInstance)
                .map(tool -> ((ChatTool.Custom) tool).custom().name())
                .toList();
    }

    private static List<ChatTool> tools(ChatRequest request) {
        return Objects.requireNonNullElse(request.tools(), List.of());
    }

    private static OfferedTools offer(List<ChatTool> tools) {
        var offer = new OfferedTools();
        for (int i = 0; i < tools.size(); i++) {
            var param = "tools[" + i + "]";
            switch (tools.get(i)) {
                case ChatTool.Function(var function) -> offer.add(entry(function, param), param + ".function.name");
                case ChatTool.Custom(var custom) -> {
                    requireText(custom.format(), param + ".custom.format.type");
                    offer.add(
                            OfferedTools.Entry.custom(ToolName.of(custom.name()), custom.description()),
                            param + ".custom.name");
                }
                case ChatTool.Unknown _ -> {}
            }
        }
        return offer;
    }

    private static OfferedTools.Entry entry(FunctionDefinition function, String param) {
        OfferedTools.requireName(function.name(), param + ".function.name");
        boolean strict = Boolean.TRUE.equals(function.strict());
        SchemaRules.function(function.name(), function.parameters(), strict, param + ".function.parameters");
        return OfferedTools.Entry.function(
                ToolName.of(function.name()), function.description(), function.parameters(), strict);
    }

    private static void requireText(@Nullable ChatCustomFormat format, String param) {
        switch (format) {
            case null -> {}
            case ChatCustomFormat.Text _ -> {}
            case ChatCustomFormat.Grammar _ ->
                throw RequestRules.unsupportedValue(param, "grammar", "No grammar is enforced; there is 'text'.");
            case ChatCustomFormat.Unknown unknown ->
                throw RequestRules.unsupportedValue(
                        param, unknown.raw().path("type").asText(), "There is 'text'.");
        }
    }

    /// A tool of another kind is left out of what may be called, and refused where nothing else may be.
    private static List<OfferedTools.Named> allowed(ChatToolChoice.Allowed allowed) {
        var named = new ArrayList<OfferedTools.Named>();
        for (var tool : allowed.tools()) {
            switch (tool) {
                case AllowedTool.Function(FunctionName function) ->
                    named.add(new OfferedTools.Named(function.name(), false));
                case AllowedTool.Custom(FunctionName custom) -> named.add(new OfferedTools.Named(custom.name(), true));
                case AllowedTool.Unknown other -> {
                    if (allowed.mode().equals("required") && allowed.tools().size() == 1) {
                        throw OfferedTools.hosted("tool_choice.allowed_tools.tools[0]", other.type());
                    }
                }
            }
        }
        return named;
    }
}
