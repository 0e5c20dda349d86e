package dev.counterpoint.engine.chat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.bus.job.GenerationJob.InputGrammar;
import dev.counterpoint.bus.job.ModelOptions;
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
            body.putArray("tools").add(ReasoningInstructions.report());
            only(body, ChatTask.REPORT);
        } else if (wanted.offersFunctions()) {
            var tools = body.putArray("tools");
            job.tools().forEach(tool -> tools.add(function(tool)));
            choose(body, job.choice());
            parallel(body);
        }
        if (!reports && wanted.sendsForm()) {
            form(body);
        }
        return body;
    }

    /// Asks for the reasons of an answer, without the form and the functions of the answer: none of them is
    /// meant for this question.
    ObjectNode afterwards(String answer) {
        var messages = UpstreamMessages.asTold(wanted);
        messages.addObject().put("role", "assistant").put("content", answer);
        messages.addObject().put("role", "user").put("content", ReasoningInstructions.AFTERWARDS);
        return begin(messages, AFTERWARDS_TOKENS_MAX);
    }

    private ObjectNode begin(ArrayNode messages, @Nullable Integer maxTokens) {
        var body = NODES.objectNode().put("model", upstreamModel).put("stream", true);
        body.set("messages", messages);
        var sampling = wanted.job().sampling();
        if (sampling.temperature() != null) {
            body.put("temperature", sampling.temperature());
        }
        if (sampling.topP() != null) {
            body.put("top_p", sampling.topP());
        }
        if (sampling.presencePenalty() != 0) {
            body.put("presence_penalty", sampling.presencePenalty());
        }
        if (sampling.frequencyPenalty() != 0) {
            body.put("frequency_penalty", sampling.frequencyPenalty());
        }
        if (sampling.seed() != null) {
            body.put("seed", sampling.seed());
        }
        if (maxTokens != null) {
            body.put("max_tokens", maxTokens);
        }
        options(body, wanted.job().options());
        if (wanted.tellsEffort()) {
            body.put("reasoning_effort", wanted.job().effort());
        }
        merge(body, wanted.thinking().members());
        return body;
    }

    private static void options(ObjectNode body, ModelOptions options) {
        if (options.topK() != null) {
            body.put("top_k", options.topK());
        }
        if (options.minP() != null) {
            body.put("min_p", options.minP());
        }
        if (options.repetitionPenalty() != null) {
            body.put("repetition_penalty", options.repetitionPenalty());
        }
        if (!options.templateArguments().isEmpty() && parse(options.templateArguments()) instanceof ObjectNode named) {
            // Whether the model thinks is not theirs to say: how its text is told apart depends on it.
            named.remove(THINKING);
            if (!named.isEmpty()) {
                body.set(ThinkingSwitch.ARGUMENTS, named);
            }
        }
    }

    /// What ours says goes before what is there, member by member.
    private static void merge(ObjectNode into, ObjectNode ours) {
        ours.properties().forEach(member -> {
            if (member.getValue() instanceof ObjectNode from && into.get(member.getKey()) instanceof ObjectNode to) {
                merge(to, from);
            } else {
                into.set(member.getKey(), member.getValue().deepCopy());
            }
        });
    }

    private void parallel(ObjectNode body) {
        var job = wanted.job();
        var said = job.leeway().oneCall() ? Boolean.FALSE : job.options().parallelCalls();
        if (said != null) {
            body.put("parallel_tool_calls", said);
        }
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
            function.set("parameters", text(tool.input()));
        } else if (tool.parameters() != null) {
            function.set("parameters", parse(tool.parameters()));
        }
        return node;
    }

    private static ObjectNode text(InputGrammar grammar) {
        var parameters = type("object").put("additionalProperties", false);
        parameters.putObject("properties").set(ChatTask.INPUT, type("string").put("description", grammar.told()));
        parameters.putArray("required").add(ChatTask.INPUT);
        return parameters;
    }

    private void form(ObjectNode body) {
        var format = wanted.job().format();
        if (wanted.asked().filter(ReasoningStrategy.ENVELOPE::equals).isPresent()) {
            schema(body, "envelope", envelope(answer(format)));
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

    private static JsonNode envelope(JsonNode answer) {
        var envelope = type("object").put("additionalProperties", false);
        var properties = envelope.putObject("properties");
        properties.set("reasoning", type("string"));
        properties.set("answer", answer);
        List.of("reasoning", "answer").forEach(envelope.putArray("required")::add);
        return envelope;
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
