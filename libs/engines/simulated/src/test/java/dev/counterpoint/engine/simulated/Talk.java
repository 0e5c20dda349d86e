package dev.counterpoint.engine.simulated;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.testkit.GenerationPull;
import dev.counterpoint.harmony.model.Content.DeveloperContent;
import dev.counterpoint.harmony.model.Content.SystemContent;
import dev.counterpoint.harmony.model.Conversation;
import dev.counterpoint.harmony.model.Message;
import dev.counterpoint.harmony.model.ReasoningEffort;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.model.ToolDescription;
import dev.counterpoint.harmony.parse.HarmonyParser;
import dev.counterpoint.harmony.parse.ParsedMessage;
import dev.counterpoint.harmony.render.HarmonyRenderer;
import dev.counterpoint.harmony.render.RenderOptions;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import dev.counterpoint.structured.schema.SchemaOptions;
import dev.counterpoint.structured.schema.ValueForm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A conversation with a simulated engine, from rendered prompt to parsed output.
final class Talk {
    static final HarmonyTokenizer TOKENIZER = HarmonyTokenizer.shared();
    static final Set<Integer> STOPS = Set.of(SpecialTokens.RETURN, SpecialTokens.CALL);
    private static final HarmonyRenderer RENDERER = new HarmonyRenderer(TOKENIZER, RenderOptions.production());
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final List<Message> messages = new ArrayList<>();
    private final List<ToolDescription> tools = new ArrayList<>();
    private ReasoningEffort effort = ReasoningEffort.MEDIUM;
    private @Nullable String instructions;
    private Sampling sampling = Sampling.GREEDY;
    private TokenMask mask = TokenMask.ALL;
    private int maxTokens = 20_000;

    static Talk user(String text) {
        return new Talk().then(Message.user(text));
    }

    Talk then(Message message) {
        messages.add(message);
        return this;
    }

    Talk effort(ReasoningEffort wanted) {
        effort = wanted;
        return this;
    }

    Talk instructions(String text) {
        instructions = text;
        return this;
    }

    /// An answer that keeps to a schema as far as it can be enforced, in any order of properties.
    Talk loose(String schema) {
        return mask(PatternMask.ofSchema(
                schema, SchemaOptions.STRICT.withForm(ValueForm.ANY).withLeniency()));
    }

    Talk tool(String name, String description, @Nullable String parameters) {
        tools.add(new ToolDescription(name, description, parameters == null ? null : json(parameters)));
        return this;
    }

    Talk weatherTool() {
        return tool("get_weather", "Gets the current weather in a city.", """
                {"type":"object","properties":{
                 "location":{"type":"string","description":"The city, e.g. San Francisco, CA"},
                 "unit":{"type":"string","enum":["celsius","fahrenheit"]}},"required":["location"]}""");
    }

    Talk sampling(Sampling wanted) {
        sampling = wanted;
        return this;
    }

    Talk maxTokens(int wanted) {
        maxTokens = wanted;
        return this;
    }

    Talk mask(TokenMask wanted) {
        mask = wanted;
        return this;
    }

    int[] prompt() {
        var all = new ArrayList<Message>();
        all.add(Message.system(SystemContent.defaults().withReasoningEffort(effort)));
        if (instructions != null || !tools.isEmpty()) {
            all.add(Message.developer(DeveloperContent.withFunctions(instructions, tools)));
        }
        all.addAll(messages);
        return RENDERER.renderForCompletion(new Conversation(all), Role.ASSISTANT);
    }

    GenerationRequest request(int... prefix) {
        return new GenerationRequest("talk", prompt(), prefix, sampling, maxTokens, STOPS, mask, "");
    }

    Output output() {
        try (var engine = new SimulatedEngine(SimulatedOptions.immediate("gpt-oss-20b"))) {
            return Output.of(GenerationPull.all(engine, request()).ids());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    String answer() {
        return output().answer();
    }

    static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(text, e);
        }
    }

    static int[] encode(String text) {
        return TOKENIZER.encode(text);
    }

    /// A whole output, parsed strictly: anything malformed fails here.
    record Output(int[] ids, List<ParsedMessage> messages) {
        static Output of(int[] ids) {
            int[] header = {SpecialTokens.START};
            int[] whole = concat(concat(header, encode("assistant")), ids);
            return new Output(ids, HarmonyParser.parsePrompt(whole));
        }

        String analysis() {
            return channel("analysis");
        }

        String answer() {
            return channel("final");
        }

        /// `name {arguments}` of the call, or the answer's text when there is none.
        String callOrAnswer() {
            var last = messages.getLast();
            return last.recipient() == null ? last.text() : last.recipient() + " " + last.text();
        }

        int steps() {
            return analysis().split("\n\n").length;
        }

        private String channel(String name) {
            return messages.stream()
                    .filter(message -> name.equals(message.channel()) && message.recipient() == null)
                    .map(ParsedMessage::text)
                    .findFirst()
                    .orElse("");
        }

        private static int[] concat(int[] one, int[] other) {
            int[] both = Arrays.copyOf(one, one.length + other.length);
            System.arraycopy(other, 0, both, one.length, other.length);
            return both;
        }
    }
}
