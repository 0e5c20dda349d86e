package dev.counterpoint.gateway.problem;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.turn.FakeModels;
import dev.counterpoint.openai.chat.ChatRequest;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.CreateResponse;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/// Draws requests that are wrong, each in one way that it knows, so that it can say what the error must name.
final class InvalidRequests {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String RESPONSES = "/v1/responses";
    private static final String CHAT = "/v1/chat/completions";
    private static final List<String> GARBAGE =
            List.of("resp_1", "resp_", "x", "%00", "resp_zz%2F..", "ü", "resp_" + "0".repeat(48), "a".repeat(2_000));

    /// Members, and what of the right type is out of their range.
    private static final Map<String, List<String>> OUT_OF_RANGE = Map.ofEntries(
            Map.entry("temperature", List.of("-0.01", "2.01", "1e308", "-1e308")),
            Map.entry("top_p", List.of("-0.5", "1.0001", "9e99")),
            Map.entry("top_logprobs", List.of("-1", "21", "2147483647")),
            Map.entry(
                    "metadata",
                    List.of("{\"k\":\"" + "v".repeat(513) + "\"}", pairs(17), "{\"" + "k".repeat(65) + "\":\"v\"}")),
            Map.entry("service_tier", List.of("\"express\"", "\"\"")),
            Map.entry("model", List.of("\"\"", "\"  \"")));

    private static final Map<String, List<String>> OUT_OF_RANGE_RESPONSES = Map.ofEntries(
            Map.entry("max_output_tokens", List.of("0", "-1", "2147483648", "1e30", "0.5")),
            Map.entry("max_tool_calls", List.of("0", "-7")),
            Map.entry("truncation", List.of("\"sometimes\"")),
            Map.entry("include", List.of("[\"everything\"]", "[null]", "[\"reasoning.encrypted_content\",5]")),
            Map.entry(
                    "reasoning", List.of("{\"effort\":\"utmost\"}", "{\"summary\":\"long\"}", "{\"mode\":\"turbo\"}")),
            Map.entry(
                    "text",
                    List.of("{\"verbosity\":\"chatty\"}", "{\"format\":{\"type\":\"xml\"}}", "{\"format\":{}}")),
            Map.entry(
                    "tools",
                    List.of("[{\"type\":\"function\"}]", "[{}]", "[5]", "[{\"type\":\"function\",\"name\":\"a b\"}]")),
            Map.entry(
                    "tool_choice",
                    List.of("\"always\"", "\"required\"", "{\"type\":\"function\",\"name\":\"absent\"}")),
            Map.entry("previous_response_id", List.of("\"resp_1\"", "\"\"", "\"" + "0".repeat(48) + "\"")),
            Map.entry(
                    "input",
                    List.of(
                            "[{\"role\":\"user\"}]",
                            "[{\"role\":\"wizard\",\"content\":\"a\"}]",
                            "[{\"type\":\"item_reference\",\"id\":\"msg_1\"}]",
                            "[{\"role\":\"user\",\"content\":[{\"type\":\"input_text\"}]}]",
                            "[{\"type\":\"function_call_output\",\"call_id\":\"c\",\"output\":5}]",
                            "[[]]",
                            "[null]",
                            "[]")));

    private static final Map<String, List<String>> OUT_OF_RANGE_CHAT = Map.ofEntries(
            Map.entry("max_tokens", List.of("0", "-1", "2147483648")),
            Map.entry("max_completion_tokens", List.of("0", "-1", "1e30")),
            Map.entry("presence_penalty", List.of("-2.1", "2.1")),
            Map.entry("frequency_penalty", List.of("-3", "1e9")),
            Map.entry("logit_bias", List.of("{\"x\":1}", "{\"5\":101}", "{\"-1\":0}", "{\"5\":\"much\"}")),
            Map.entry("stop", List.of("[\"a\",\"b\",\"c\",\"d\",\"e\"]", "[\"\"]", "\"\"", "[5]")),
            Map.entry("response_format", List.of("{\"type\":\"xml\"}", "{}", "{\"type\":\"json_schema\"}")),
            Map.entry("tools", List.of("[{\"type\":\"function\"}]", "[{}]", "[5]")),
            Map.entry("tool_choice", List.of("\"always\"", "\"required\"")),
            Map.entry("reasoning_effort", List.of("\"utmost\"")),
            Map.entry("reasoning", List.of("\"some\"", "{\"effort\":\"utmost\"}", "{\"max_tokens\":-1}")),
            Map.entry(
                    "messages",
                    List.of(
                            "[]",
                            "[null]",
                            "[{\"role\":\"user\"}]",
                            "[{\"role\":\"wizard\",\"content\":\"a\"}]",
                            "[{\"content\":\"a\"}]",
                            "[{\"role\":\"tool\",\"content\":\"a\"}]",
                            "[{\"role\":\"user\",\"content\":[{\"type\":\"text\"}]}]")));

    private final Api caller;
    private final Random random;

    InvalidRequests(Api caller, long seed) {
        this.caller = caller;
        random = new Random(seed);
    }

    /// A request, and what its refusal has to say.
    ///
    /// @param name what is wrong with it, for people
    /// @param member that the error names, or the beginning of it; empty when nothing of the body is at fault
    record Wrong(String name, HttpRequest.Builder request, String member) {}

    Wrong next() {
        return switch (random.nextInt(10)) {
            case 0, 1, 2 -> wrongType();
            case 3, 4, 5 -> outOfRange();
            case 6 -> missing();
            case 7 -> brokenJson();
            case 8 -> wrongId();
            default -> wrongHeader();
        };
    }

    private Wrong wrongType() {
        boolean chat = random.nextBoolean();
        var component = one(Arrays.stream((chat ? ChatRequest.class : CreateResponse.class).getRecordComponents())
                .filter(candidate -> !candidate.getName().equals("otherMembers"))
                .toList());
        var name = snake(component.getName());
        var body = valid(chat).set(name, wrong(component));
        return post("type of " + name, chat ? CHAT : RESPONSES, body.toString(), name);
    }

    /// Something that no value of the component's type is.
    private JsonNode wrong(RecordComponent component) {
        var type = component.getType();
        if (type == String.class) {
            return one(List.of(JSON.numberNode(5), JSON.booleanNode(true), JSON.arrayNode(), JSON.objectNode()));
        }
        if (type == Boolean.class) {
            return one(List.of(JSON.textNode("true"), JSON.numberNode(1), JSON.arrayNode(), JSON.objectNode()));
        }
        if (type == Integer.class || type == Long.class) {
            return one(List.of(JSON.textNode("1"), JSON.numberNode(1.5), JSON.booleanNode(true), JSON.objectNode()));
        }
        if (type == Double.class) {
            return one(List.of(JSON.textNode("1"), JSON.booleanNode(true), JSON.arrayNode(), JSON.objectNode()));
        }
        if (List.class.isAssignableFrom(type)) {
            boolean texts = component.getGenericType() instanceof ParameterizedType list
                    && list.getActualTypeArguments()[0] == String.class;
            var wrongElement = JSON.arrayNode().add(texts ? JSON.objectNode() : JSON.numberNode(7));
            return one(List.of(JSON.textNode("a"), JSON.numberNode(1), JSON.objectNode(), wrongElement));
        }
        if (Map.class.isAssignableFrom(type)) {
            return one(List.of(
                    JSON.textNode("a"),
                    JSON.arrayNode(),
                    JSON.numberNode(1),
                    JSON.objectNode().putArray("k")));
        }
        return one(List.of(JSON.numberNode(5), JSON.numberNode(-1.5))); // no family has a number for a leaf
    }

    private Wrong outOfRange() {
        boolean chat = random.nextBoolean();
        var ranges = new TreeMap<>(OUT_OF_RANGE);
        ranges.putAll(chat ? OUT_OF_RANGE_CHAT : OUT_OF_RANGE_RESPONSES);
        var range = one(List.copyOf(ranges.entrySet()));
        var value = one(range.getValue());
        var body = valid(chat).set(range.getKey(), json(value));
        return post(
                "range of " + range.getKey() + ": " + cut(value),
                chat ? CHAT : RESPONSES,
                body.toString(),
                range.getKey());
    }

    private Wrong missing() {
        boolean chat = random.nextBoolean();
        var member = random.nextBoolean() ? "model" : chat ? "messages" : "input";
        var body = valid(chat);
        if (random.nextBoolean()) {
            body.remove(member);
        } else {
            body.putNull(member);
        }
        return post("without " + member, chat ? CHAT : RESPONSES, body.toString(), member);
    }

    private Wrong brokenJson() {
        boolean chat = random.nextBoolean();
        var whole = valid(chat).toString();
        var broken = switch (random.nextInt(9)) {
            case 0 -> whole.substring(0, random.nextInt(whole.length()));
            case 1 -> whole + "x";
            case 2 -> whole + whole;
            case 3 -> "[" + whole + "]";
            case 4 -> whole.replaceFirst("\\{", "{\"model\":\"twice\",");
            case 5 -> "[".repeat(2_000);
            case 6 -> "{\"model\":" + "[".repeat(1_200) + "]".repeat(1_200) + "}";
            case 7 -> "\"" + "x".repeat(70_000) + "\"";
            default -> one(List.of("null", "5", "\"text\"", "tru", "{'a':1}", "\uFEFF", "{\"a\":\u0001}", "NaN"));
        };
        return post("JSON " + cut(broken), chat ? CHAT : RESPONSES, broken, "");
    }

    private Wrong wrongId() {
        var id = one(GARBAGE);
        var path = RESPONSES + "/" + URLEncoder.encode(id.replace("%", ""), StandardCharsets.UTF_8);
        return switch (random.nextInt(5)) {
            case 0 -> new Wrong("read " + cut(id), caller.request(path).GET(), "");
            case 1 -> new Wrong("delete " + cut(id), caller.request(path).DELETE(), "");
            case 2 -> post("cancel " + cut(id), path + "/cancel", "", "");
            case 3 ->
                new Wrong(
                        "starting_after",
                        caller.request(path + "?stream=true&starting_after="
                                        + one(List.of("-1", "x", "1e9", "99999999999999999999")))
                                .GET(),
                        "starting_after");
            default ->
                new Wrong("stream", caller.request(path + "?stream=maybe").GET(), "stream");
        };
    }

    private Wrong wrongHeader() {
        var body = BodyPublishers.ofString(valid(false).toString());
        var request = caller.request(RESPONSES).POST(body);
        return switch (random.nextInt(5)) {
            case 0 ->
                new Wrong("media type", request.header("Content-Type", one(List.of("text/plain", "???", "a/b;c"))), "");
            case 1 ->
                new Wrong(
                        "content encoding",
                        request.header("Content-Type", "application/json").header("Content-Encoding", "gzip"),
                        "");
            case 2 ->
                new Wrong(
                        "key",
                        request.header("Content-Type", "application/json")
                                .setHeader("Authorization", one(List.of("Bearer x", "Basic eDp5", "Bearer", "cp"))),
                        "");
            case 3 ->
                new Wrong(
                        "idempotency key",
                        request.header("Content-Type", "application/json")
                                .header("Idempotency-Key", one(List.of("a b", "x".repeat(256)))),
                        "Idempotency-Key");
            default -> new Wrong("method", caller.request(RESPONSES).method("PUT", body), "");
        };
    }

    private Wrong post(String name, String path, String body, String member) {
        var request =
                caller.request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
        return new Wrong(path + " " + name, request, member);
    }

    private static ObjectNode valid(boolean chat) {
        var body = JSON.objectNode().put("model", FakeModels.MODEL);
        if (chat) {
            body.putArray("messages").addObject().put("role", "user").put("content", "2+2?");
        } else {
            body.put("input", "2+2?");
        }
        return body;
    }

    private static String pairs(int count) {
        var pairs = JSON.objectNode();
        for (int i = 0; i < count; i++) {
            pairs.put("k" + i, "v");
        }
        return pairs.toString();
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private static JsonNode json(String text) {
        return WireJson.parse(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String cut(String text) {
        return text.length() < 60 ? text : text.substring(0, 60) + "…";
    }

    private static String snake(String name) {
        return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }
}
