package dev.counterpoint.harmony.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.Content.DeveloperContent;
import dev.counterpoint.harmony.model.Content.SystemContent;
import dev.counterpoint.harmony.model.Conversation;
import dev.counterpoint.harmony.model.Message;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.model.ToolDescription;
import dev.counterpoint.harmony.render.DropRule;
import dev.counterpoint.harmony.render.HarmonyRenderer;
import dev.counterpoint.harmony.render.ReferenceCodec;
import dev.counterpoint.harmony.render.RenderOptions;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// What is rendered and parsed: all from the bench's texts, and the same for the peers.
final class BenchConversations {
    static final RenderOptions OPTIONS = new RenderOptions(ReferenceCodec.OPENAI_0_0_8, DropRule.REFERENCE);

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int PROMPT_TOKENS = 27_000;
    private static final int MESSAGES = 41;
    private static final int TOOLS = 20;

    private final List<ToolDescription> tools =
            IntStream.range(0, TOOLS).mapToObj(BenchConversations::tool).toList();
    private final String text = String.join("", Corpus.documents(Corpus.exists("prose") ? "prose" : "code"));
    private final String code = String.join("", Corpus.documents("code"));

    /// A chat of 41 messages and 27,000 tokens, prose and code in turn, with little in front.
    Conversation chat() {
        return ofRightSize(length -> {
            var messages = new ArrayList<Message>();
            messages.add(Message.system(SystemContent.defaults()));
            messages.add(Message.developer(DeveloperContent.withFunctions("Answer briefly.", tools)));
            addTurns(messages, MESSAGES, length);
            return new Conversation(messages);
        });
    }

    /// An agent's prompt of 27,000 tokens, nearly all of them in the developer message.
    Conversation agent() {
        return ofRightSize(length -> {
            var messages = new ArrayList<Message>();
            messages.add(Message.system(SystemContent.defaults()));
            messages.add(Message.developer(DeveloperContent.withFunctions(text.substring(0, length * 40), tools)));
            addTurns(messages, 5, 400);
            return new Conversation(messages);
        });
    }

    private void addTurns(List<Message> messages, int count, int length) {
        for (int i = messages.size(); i < count; i++) {
            int from = 100_000 + i * length;
            messages.add(
                    i % 2 == 0
                            ? Message.user(text.substring(from, from + length))
                            : Message.assistant(Channels.FINAL, code.substring(from, from + length)));
        }
    }

    private interface OfLength {
        Conversation make(int length);
    }

    private static Conversation ofRightSize(OfLength conversation) {
        int length = 100;
        while (tokens(conversation.make(length)).length < PROMPT_TOKENS) {
            length += 50;
        }
        return conversation.make(length);
    }

    static int[] tokens(Conversation conversation) {
        return new HarmonyRenderer(HarmonyTokenizer.shared(), OPTIONS)
                .renderForCompletion(conversation, Role.ASSISTANT);
    }

    /// What a model samples, some 500,000 tokens: thoughts, calls and answers, prose and code.
    int[] stream() {
        var messages = new ArrayList<Message>();
        for (int i = 0; i < 300; i++) {
            int from = i * 2_500;
            messages.add(Message.assistant(Channels.ANALYSIS, text.substring(from, from + 2_000)));
            messages.add(Message.call(
                    "functions.tool_" + i % TOOLS, Channels.COMMENTARY, "json", code.substring(from, from + 500)));
            messages.add(Message.assistant(Channels.ANALYSIS, code.substring(from, from + 2_500)));
            messages.add(Message.assistant(Channels.FINAL, text.substring(from + 2_000, from + 2_500)));
        }
        var options = new RenderOptions(ReferenceCodec.OPENAI_0_0_8, DropRule.KEEP_ALL);
        var tokens = new HarmonyRenderer(HarmonyTokenizer.shared(), options).render(new Conversation(messages));
        // The prompt already ended in <|start|>assistant.
        int[] header = HarmonyTokenizer.shared().encode(Role.ASSISTANT.wireName());
        if (tokens[0] != SpecialTokens.START) {
            throw new IllegalStateException("a message does not begin with <|start|>");
        }
        return Arrays.copyOfRange(tokens, 1 + header.length, tokens.length);
    }

    /// As the references read it.
    String json(Conversation conversation) {
        var messages = JSON.createArrayNode();
        for (Message message : conversation.messages()) {
            var json = messages.addObject().put("role", message.author().role().wireName());
            switch (message.author().role()) {
                case SYSTEM -> addPart(json, "system_content");
                case DEVELOPER -> addDeveloper(json, message);
                case USER, ASSISTANT, TOOL -> json.put("content", message.text());
            }
            if (message.channel() != null) {
                json.put("channel", message.channel());
            }
        }
        return JSON.createObjectNode().set("messages", messages).toString();
    }

    private static ObjectNode addPart(ObjectNode message, String type) {
        var part = message.putArray("content").addObject().put("type", type);
        if (type.equals("system_content")) {
            part.put("model_identity", SystemContent.defaults().modelIdentity());
            part.put("reasoning_effort", "Medium").put("knowledge_cutoff", "2024-06");
            var channels = part.putObject("channel_config").put("channel_required", true);
            ArrayNode valid = channels.putArray("valid_channels");
            Channels.ALL.stream().sorted().forEach(valid::add);
        }
        return part;
    }

    private void addDeveloper(ObjectNode json, Message message) {
        if (!(message.content().getFirst() instanceof DeveloperContent content)) {
            throw new IllegalStateException("a developer message without developer content");
        }
        var part = addPart(json, "developer_content").put("instructions", content.instructions());
        var functions = part.putObject("tools").putObject("functions").put("name", "functions");
        functions.set("tools", JSON.valueToTree(tools));
    }

    private static ToolDescription tool(int number) {
        var parameters = JSON.createObjectNode().put("type", "object");
        var properties = parameters.putObject("properties");
        properties.putObject("city").put("type", "string").put("description", "The city and its country");
        properties.putObject("days").put("type", "integer").put("default", 3);
        properties
                .putObject("unit")
                .put("type", "string")
                .putArray("enum")
                .add("celsius")
                .add("fahrenheit");
        parameters.putArray("required").add("city");
        return new ToolDescription("tool_" + number, "Looks up fact number " + number + " of a city.", parameters);
    }
}
