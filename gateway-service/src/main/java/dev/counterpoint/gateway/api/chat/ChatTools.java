package dev.counterpoint.gateway.api.chat;

import dev.counterpoint.bus.job.GenerationJob.InputGrammar;
import dev.counterpoint.gateway.request.InputGrammars;
import dev.counterpoint.gateway.request.OfferedTools;
import dev.counterpoint.gateway.request.RequestRules;
import dev.counterpoint.gateway.request.SchemaRules;
import dev.counterpoint.gateway.request.ToolName;
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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The tools of a request to Chat Completions: functions and custom tools, which all run at the client. A tool of
/// another kind is not offered to the model.
final class ChatTools {
    /// OpenAI's.
    private static final int NAME_MAX = 64;

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
        return names(request, _ -> true);
    }

    /// The names of the custom tools with a grammar.
    static List<String> withGrammar(ChatRequest request) {
        return names(request, custom -> custom.format() instanceof ChatCustomFormat.Grammar);
    }

    private static List<String> names(ChatRequest request, Predicate<ChatTool.CustomDefinition> which) {
        return tools(request).stream()
                .filter(ChatTool.Custom.class::isInstance)
                .map(tool -> ((ChatTool.Custom) tool).custom())
                .filter(which)
                .map(ChatTool.CustomDefinition::name)
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
                    OfferedTools.requireName(custom.name(), NAME_MAX, param + ".custom.name");
                    var grammar = grammar(custom.format(), param + ".custom.format");
                    offer.add(
                            OfferedTools.Entry.custom(ToolName.of(custom.name()), custom.description(), grammar),
                            param + ".custom.name");
                }
                case ChatTool.Unknown other -> OfferedTools.requireType(other.type(), param + ".type");
            }
        }
        return offer;
    }

    private static OfferedTools.Entry entry(FunctionDefinition function, String param) {
        OfferedTools.requireName(function.name(), NAME_MAX, param + ".function.name");
        boolean strict = Boolean.TRUE.equals(function.strict());
        SchemaRules.function(function.name(), function.parameters(), strict, param + ".function.parameters");
        return OfferedTools.Entry.function(
                ToolName.of(function.name()), function.description(), function.parameters(), strict);
    }

    private static @Nullable InputGrammar grammar(@Nullable ChatCustomFormat format, String param) {
        return switch (format) {
            case null -> null;
            case ChatCustomFormat.Text _ -> null;
            case ChatCustomFormat.Grammar(ChatCustomFormat.GrammarRules(String definition, String syntax)) ->
                InputGrammars.of(syntax, definition, param + ".grammar");
            case ChatCustomFormat.Unknown unknown ->
                throw RequestRules.notOneOf(param + ".type", unknown.type(), List.of("text", "grammar"));
        };
    }

    /// A tool of another kind is left out of the callable tools, and refused if it is the only one.
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
