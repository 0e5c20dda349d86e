package dev.counterpoint.engine.chat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.engine.chat.family.FamilyTable;
import dev.counterpoint.engine.chat.family.ThinkingSwitch;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The bodies of requests to Chat Completions.
///
/// Stop sequences are not sent: they are for the answer only, and found here.
///
/// @param upstreamModel the name under which the server serves it
/// @param wanted what the job wants
record ChatRequestBody(String upstreamModel, ChatTask wanted) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    /// Bounds the reasons that a model is asked for after its answer.
    private static final int AFTERWARDS_TOKENS_MAX = 512;

    private static final String TOOL_CHOICE = "tool_choice";
    private static final Set<String> THINKING = FamilyTable.shared().thinkingArguments();

    /// Asks for the output.
    ///
    /// @param reports whether this request wants the reasoning reported, and nothing else
    /// @param maxTokens null for no limit
    ObjectNode of(ArrayNode messages, boolean reports, @Nullable Integer maxTokens) {
        var body = begin(messages, maxTokens);
        var job = wanted.job();
        if (reports) {
            body.putArray("tools").add(function(ReasoningInstructions.REPORTING));
            only(body, ChatTask.REPORT);
        } else if (wanted.offersFunctions()) {
            var tools = body.putArray("tools");
            job.tools().forEach(tool -> tools.add(function(tool)));
            choose(body, job.choice());
            var parallel =
                    job.leeway().oneCall() ? Boolean.FALSE : job.options().parallelCalls();
            if (parallel != null) {
                body.put("parallel_tool_calls", parallel);
            }
        }
        if (!reports && wanted.sendsForm()) {
            form(body);
        }
        return body;
    }

    /// Asks for the reasons of an answer, without the form and the functions of the answer: none of them is
    /// meant for this question.
    ObjectNode afterwards(String answer) {
        var messages = UpstreamMessages.of(wanted, List.of());
        messages.addObject().put("role", "assistant").put("content", answer);
        messages.addObject().put("role", "user").put("content", ReasoningInstructions.AFTERWARDS);
        return begin(messages, AFTERWARDS_TOKENS_MAX);
    }

    private ObjectNode begin(ArrayNode messages, @Nullable Integer maxTokens) {
        var body = NODES.objectNode().put("model", upstreamModel).put("stream", true);
        body.set("messages", messages);
        var sampling = wanted.job().sampling();
        var options = wanted.job().options();
        body.put("temperature", sampling.temperature())
                .put("top_p", sampling.topP())
                .put("presence_penalty", set(sampling.presencePenalty()))
                .put("frequency_penalty", set(sampling.frequencyPenalty()))
                .put("seed", sampling.seed())
                .put("max_tokens", maxTokens)
                .put("top_k", options.topK())
                .put("min_p", options.minP())
                .put("repetition_penalty", options.repetitionPenalty())
                .put("reasoning_effort", wanted.tellsEffort() ? wanted.job().effort() : null);
        body.removeIf(JsonNode::isNull);
        arguments(body, options.templateArguments());
        merge(body, wanted.thinking().members());
        return body;
    }

    private static @Nullable Double set(double penalty) {
        return penalty == 0 ? null : penalty;
    }

    /// Without the switches of thinking: how the model's text is split depends on them.
    private static void arguments(ObjectNode body, String arguments) {
        if (!arguments.isEmpty() && parse(arguments) instanceof ObjectNode named) {
            named.remove(THINKING);
            if (!named.isEmpty()) {
                body.set(ThinkingSwitch.ARGUMENTS, named);
            }
        }
    }

    /// Merges our members into the body; ours replace existing ones, and objects merge member by member.
    private static void merge(ObjectNode into, ObjectNode ours) {
        ours.properties().forEach(member -> {
            if (member.getValue() instanceof ObjectNode from && into.get(member.getKey()) instanceof ObjectNode to) {
                merge(to, from);
            } else {
                into.set(member.getKey(), member.getValue().deepCopy());
            }
        });
    }

    private static void choose(ObjectNode body, GenerationJob.ToolChoice choice) {
        switch (choice.mode()) {
            case AUTO, NONE -> body.put(TOOL_CHOICE, "auto");
            case REQUIRED -> body.put(TOOL_CHOICE, "required");
            case FUNCTION -> only(body, String.valueOf(choice.name()));
        }
    }

    private static void only(ObjectNode body, String function) {
        body.putObject(TOOL_CHOICE)
                .put("type", "function")
                .putObject("function")
                .put("name", function);
    }

    private static ObjectNode function(FunctionTool tool) {
        var node = NODES.objectNode().put("type", "function");
        var function = node.putObject("function").put("name", tool.name()).put("description", tool.description());
        if (tool.strict()) {
            function.put("strict", true);
        }
        if (tool.input() != null) {
            var text = type("string").put("description", tool.input().told());
            function.set("parameters", object(NODES.objectNode().set(ChatTask.INPUT, text)));
        } else if (tool.parameters() != null) {
            function.set("parameters", parse(tool.parameters()));
        }
        return node;
    }

    /// The schema of an object with these members.
    private static ObjectNode object(ObjectNode members) {
        var object = type("object").put("additionalProperties", false);
        object.set("properties", members);
        members.fieldNames().forEachRemaining(object.putArray("required")::add);
        return object;
    }

    private void form(ObjectNode body) {
        var format = wanted.job().format();
        if (wanted.asks(ReasoningStrategy.ENVELOPE)) {
            var members = NODES.objectNode().<ObjectNode>set("reasoning", type("string"));
            schema(body, "envelope", object(members.set("answer", answer(format))));
        } else if (format != null && format.schema() != null) {
            schema(body, format.name(), parse(format.schema()));
        } else if (format != null) {
            body.putObject("response_format").put("type", "json_object");
        }
    }

    private static JsonNode answer(GenerationJob.@Nullable ResponseFormat format) {
        if (format == null) {
            return type("string");
        }
        return format.schema() == null ? type("object") : parse(format.schema());
    }

    private static void schema(ObjectNode body, String name, JsonNode schema) {
        var format =
                body.putObject("response_format").put("type", "json_schema").putObject("json_schema");
        format.put("name", name).put("strict", true).set("schema", schema);
    }

    private static ObjectNode type(String name) {
        return NODES.objectNode().put("type", name);
    }

    private static JsonNode parse(String schema) {
        try {
            return JSON.readTree(schema);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("a schema is no JSON");
        }
    }
}
