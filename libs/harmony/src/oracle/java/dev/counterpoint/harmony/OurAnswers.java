package dev.counterpoint.harmony;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.harmony.HarmonyEvent.MessageEnded;
import dev.counterpoint.harmony.HarmonyEvent.TextDelta;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What this module says to a case, in the form of `reference.py`.
final class OurAnswers {
    private static final HarmonyTokenizer TOKENIZER = HarmonyTokenizer.shared();

    private final Reference reference;

    OurAnswers(Reference reference) {
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
                        one.path("name").asText().equals("python") ? ToolNamespace.python() : ToolNamespace.browser());
        };
    }

    private JsonNode render(JsonNode one) {
        var rule = one.path("drop").asBoolean() ? DropRule.REFERENCE : DropRule.KEEP_ALL;
        var renderer = new HarmonyRenderer(TOKENIZER, new RenderOptions(reference, rule));
        var conversation = WireConversations.conversation(
                OracleJson.read(one.path("conversation").asText()));
        var next = WireConversations.text(one, "next");
        try {
            return answer(
                    "tokens",
                    ids(
                            next == null
                                    ? renderer.render(conversation)
                                    : renderer.renderForCompletion(conversation, WireConversations.role(next))));
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
        var mode = one.path("strict").asBoolean() ? ParserMode.STRICT : ParserMode.LENIENT;
        var role = WireConversations.text(one, "role");
        var parser = new HarmonyParser(mode, reference, role == null ? null : WireConversations.role(role));
        var answer = new ParseAnswer();
        int at = 0;
        for (int token : ConformanceData.tokens(one.path("tokens"))) {
            answer.step(at, sink -> parser.accept(token, sink));
            answer.state(at, parser.insideMessage());
            at++;
        }
        if (one.path("eos").asBoolean()) {
            answer.step(at, parser::finish);
        }
        return answer.json();
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

    private static final class ParseAnswer {
        private final Recording recording = new Recording();
        private final ArrayNode states = JsonMaker.JSON.arrayNode();
        private final ArrayNode deltas = JsonMaker.JSON.arrayNode();
        private final ArrayNode errors = JsonMaker.JSON.arrayNode();
        private JsonNode before = JsonMaker.JSON.nullNode();

        void step(int at, Consumer<Consumer<HarmonyEvent>> move) {
            int from = recording.events.size();
            try {
                move.accept(recording);
            } catch (HarmonyFormatException e) {
                errors.addArray().add(at).add(e.getMessage());
                return;
            }
            var said = recording.events.subList(from, recording.events.size());
            // THE ONE RULE OF DIFFERENCE: what is left at a message's end, and a message saved from a header, are a
            // delta of ours, so that deltas add up to the text; the references only put them into the message.
            if (said.stream().noneMatch(MessageEnded.class::isInstance)) {
                for (HarmonyEvent event : said) {
                    if (event instanceof TextDelta(String text)) {
                        deltas.addArray().add(at).add(text);
                    }
                }
            }
        }

        void state(int at, boolean insideMessage) {
            var state = insideMessage
                    ? recording.lastStarted().<JsonNode>map(ParseAnswer::header).orElseThrow()
                    : JsonMaker.JSON.nullNode();
            if (!state.equals(before)) {
                states.addArray().add(at).add(state);
                before = state;
            }
        }

        private static ArrayNode header(HarmonyEvent.MessageStarted open) {
            return row(open.author().role().wireName(), open.channel(), open.recipient(), open.contentType());
        }

        JsonNode json() {
            var messages = JsonMaker.JSON.arrayNode();
            for (ParsedMessage message : recording.messages) {
                messages.add(row(
                        message.author().role().wireName(),
                        message.author().name(),
                        message.channel(),
                        message.recipient(),
                        message.contentType(),
                        message.text()));
            }
            var answer = JsonMaker.JSON.objectNode();
            answer.set("states", states);
            answer.set("deltas", deltas);
            answer.set("errors", errors);
            answer.set("messages", messages);
            return answer;
        }

        private static ArrayNode row(@Nullable String... texts) {
            var row = JsonMaker.JSON.arrayNode();
            for (String text : texts) {
                row.add(text);
            }
            return row;
        }
    }
}
