package dev.counterpoint.engine.gguf;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.engine.chat.UpstreamMessages;
import dev.counterpoint.engine.chat.family.FamilyTable;
import dev.counterpoint.engine.chat.family.KnownModel;
import dev.counterpoint.engine.template.ChatTemplate;
import dev.counterpoint.engine.template.TemplateInput;
import dev.counterpoint.engine.template.TemplateRefusedException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Writes a turn's prompt by the model's own template. What the template cannot take becomes words. Thread-safe.
final class PromptWriter {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String ROLE = "role";
    private static final String CONTENT = "content";
    private static final String CALLS = "tool_calls";

    private final ChatTemplate template;
    private final KnownModel known;
    private final SpelledMarks marks;

    /// @param marks that no text of a conversation may become
    PromptWriter(ChatTemplate template, KnownModel known, SpelledMarks marks) {
        this.template = template;
        this.known = known;
        this.marks = marks;
    }

    /// @throws TemplateRefusedException when the template does not take this conversation
    String prompt(Turn turn, LocalDate today) {
        var messages = UpstreamMessages.of(turn.job(), known, Instructions.of(turn));
        var traits = turn.traits();
        if (traits.call() == null) {
            messages.forEach(PromptWriter::tellCalls);
        }
        if (!traits.results()) {
            messages.forEach(PromptWriter::tellResult);
        }
        marks.hidden(messages);
        var told = traits.system() ? messages : withoutSystem(messages);
        var prompt = template.render(new TemplateInput(told, tools(turn), arguments(turn), true, today.atTime(12, 0)));
        return prompt + turn.ending(prompt);
    }

    private @Nullable ArrayNode tools(Turn turn) {
        if (turn.calls().isEmpty() || !turn.traits().tools()) {
            return null;
        }
        var tools = NODES.arrayNode();
        turn.calls().forEach(tool -> tools.add(marks.hidden(declared(tool))));
        return tools;
    }

    static ObjectNode declared(FunctionTool tool) {
        var declared = NODES.objectNode().put("type", "function");
        var function = declared.putObject("function").put("name", tool.name());
        var input = tool.input();
        function.put("description", input == null ? tool.description() : tool.description() + "\n" + input.told());
        function.set(
                "parameters",
                tool.parameters() == null ? NODES.objectNode().put("type", "object") : json(tool.parameters()));
        return declared;
    }

    private static Map<String, JsonNode> arguments(Turn turn) {
        var options = turn.job().options();
        var asked = options.templateArguments().isEmpty() ? NODES.objectNode() : json(options.templateArguments());
        var arguments = new HashMap<String, JsonNode>();
        asked.properties().forEach(each -> arguments.put(each.getKey(), each.getValue()));
        // A request cannot set the switches of thinking: how the model's text is split depends on them.
        FamilyTable.shared()
                .thinkingArguments()
                .forEach(name -> arguments.put(name, BooleanNode.valueOf(turn.reasons())));
        if (options.effortSaid()) {
            arguments.put("reasoning_effort", TextNode.valueOf(turn.job().effort()));
        }
        return arguments;
    }

    private static void tellCalls(JsonNode message) {
        if (message instanceof ObjectNode said && said.remove(CALLS) instanceof ArrayNode calls) {
            var text = new StringBuilder(said.path(CONTENT).asText());
            for (var call : calls) {
                var function = call.path("function");
                text.append(CallForm.USUAL.opening(function.path("name").asText()))
                        .append(function.path("arguments").asText())
                        .append(CallForm.USUAL.close());
            }
            said.put(CONTENT, text.toString());
        }
    }

    private static void tellResult(JsonNode message) {
        if (message instanceof ObjectNode said && said.path(ROLE).asText().equals("tool")) {
            said.put(ROLE, "user")
                    .put(CONTENT, "Result of the call:\n" + said.path(CONTENT).asText());
            said.remove("tool_call_id");
        }
    }

    /// Moves the text of system messages to the start of the next user message.
    private static ArrayNode withoutSystem(ArrayNode messages) {
        var told = NODES.arrayNode();
        List<String> system = new ArrayList<>();
        for (var message : messages) {
            boolean asked = message.path(ROLE).asText().equals("user")
                    && message.path(CONTENT).isTextual();
            if (message.path(ROLE).asText().equals("system")) {
                system.add(message.path(CONTENT).asText());
            } else if (asked && message instanceof ObjectNode said && !system.isEmpty()) {
                system.add(said.path(CONTENT).asText());
                told.add(said.put(CONTENT, String.join("\n\n", system)));
                system.clear();
            } else {
                told.add(message);
            }
        }
        if (!system.isEmpty()) {
            told.addObject().put(ROLE, "user").put(CONTENT, String.join("\n\n", system));
        }
        return told;
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("a schema or an argument of the template is no JSON");
        }
    }
}
