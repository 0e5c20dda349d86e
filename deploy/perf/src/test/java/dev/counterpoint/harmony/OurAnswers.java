package dev.counterpoint.harmony;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.harmony.parse.ParsedMessage;
import dev.counterpoint.harmony.render.DropRule;
import dev.counterpoint.harmony.render.HarmonyRenderer;
import dev.counterpoint.harmony.render.ReferenceCodec;
import dev.counterpoint.harmony.render.RenderOptions;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.Vocabulary;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What this module says to a case, in the form of `reference.py`.
final class OurAnswers {
    private static final HarmonyTokenizer TOKENIZER = HarmonyTokenizer.shared();

    private final ReferenceCodec reference;

    OurAnswers(ReferenceCodec reference) {
        this.reference = reference;
    }

    JsonNode to(JsonNode one) {
        return switch (one.path("kind").asText()) {
            case "render" -> render(one);
            case "encode" ->
                answer("tokens", ids(TOKENIZER.encode(one.path("text").asText())));
            case "decode" -> decode(ConformanceData.tokens(one.path("tokens")));
            case "parse" -> parse(one);
            default ->
                WireTools.json(
                        one.path("name").asText().equals("python")
                                ? BuiltInNamespaces.python()
                                : BuiltInNamespaces.browser());
        };
    }

    private JsonNode render(JsonNode one) {
        var rule = one.path("drop").asBoolean() ? DropRule.REFERENCE : DropRule.KEEP_ALL;
        var renderer = new HarmonyRenderer(TOKENIZER, new RenderOptions(reference, rule));
        var conversation = WireConversations.conversation(
                OracleJson.read(one.path("conversation").asText()));
        var next = WireConversations.text(one, "next");
        try {
            var tokens = WireConversations.render(
                    renderer, conversation, one.path("mode").asText(), next);
            return answer("tokens", ids(tokens));
        } catch (IllegalArgumentException e) {
            return answer("error", JsonMaker.JSON.textNode(e.getMessage()));
        }
    }

    private static JsonNode decode(int[] tokens) {
        for (int token : tokens) {
            if (!Vocabulary.contains(token)) {
                return answer(
                        "error",
                        JsonMaker.JSON.textNode("Invalid token for decoding: " + Integer.toUnsignedString(token)));
            }
        }
        return answer("text", JsonMaker.JSON.textNode(TOKENIZER.decode(tokens)));
    }

    private JsonNode parse(JsonNode one) {
        var view = new ReferenceView(reference, one.path("strict").asBoolean(), WireConversations.text(one, "role"));
        for (int token : ConformanceData.tokens(one.path("tokens"))) {
            view.accept(token);
        }
        if (one.path("eos").asBoolean()) {
            view.finish();
        }
        var answer = JsonMaker.JSON.objectNode();
        answer.set("states", changes(view.states));
        answer.set("deltas", said(view.deltas));
        answer.set("errors", said(view.errors));
        var messages = answer.putArray("messages");
        for (ParsedMessage message : view.messages()) {
            messages.add(row(Arrays.asList(
                    message.author().role().wireName(),
                    message.author().name(),
                    message.channel(),
                    message.recipient(),
                    message.contentType(),
                    message.text())));
        }
        return answer;
    }

    /// The first state, and each that differs from the one before.
    private static ArrayNode changes(List<List<@Nullable String>> states) {
        var changes = JsonMaker.JSON.arrayNode();
        for (int i = 0; i < states.size(); i++) {
            if (i == 0 || !states.get(i).equals(states.get(i - 1))) {
                changes.addArray().add(i).add(row(states.get(i)));
            }
        }
        return changes;
    }

    private static ArrayNode said(List<ReferenceView.Said> said) {
        var rows = JsonMaker.JSON.arrayNode();
        said.forEach(one -> rows.addArray().add(one.at()).add(one.text()));
        return rows;
    }

    private static ArrayNode row(List<@Nullable String> texts) {
        var row = JsonMaker.JSON.arrayNode();
        for (String text : texts) {
            row.add(text);
        }
        return row;
    }

    private static ArrayNode ids(int[] tokens) {
        var ids = JsonMaker.JSON.arrayNode();
        for (int token : tokens) {
            ids.add(token);
        }
        return ids;
    }

    private static ObjectNode answer(String member, JsonNode value) {
        var answer = JsonMaker.JSON.objectNode();
        answer.set(member, value);
        return answer;
    }
}
