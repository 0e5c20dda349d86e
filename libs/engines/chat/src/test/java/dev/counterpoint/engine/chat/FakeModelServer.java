package dev.counterpoint.engine.chat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.counterpoint.engine.testkit.FakeHttpServer;
import dev.counterpoint.engine.testkit.FakeHttpServer.Exchange;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/// A server of some kind with a model that behaves as a test says. What each kind answers about itself is
/// written down from the real one.
final class FakeModelServer implements AutoCloseable {
    /// The end of Qwen3's template.
    static final String QWEN3_JINJA = "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}"
            + "{%- if enable_thinking is defined and enable_thinking is false %}{{- '<think>\\n\\n</think>\\n\\n' }}"
            + "{%- endif %}{%- endif %}";
    /// The end of QwQ's template.
    static final String QWQ_JINJA =
            "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n<think>\\n' }}{%- endif %}";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final FakeHttpServer http = new FakeHttpServer(this::handle);
    private final Map<String, String> pages = new ConcurrentHashMap<>();
    private final List<JsonNode> requests = new CopyOnWriteArrayList<>();
    private final List<String> targets = new CopyOnWriteArrayList<>();
    private final Map<String, Integer> refusals = new ConcurrentHashMap<>();
    private volatile String head = "";
    private volatile String key = "";
    private volatile String openToAll = "";
    private volatile Function<JsonNode, Reply> model = _ -> Reply.content("4");

    /// @param status of HTTP
    /// @param finish the reason for which the model ended; empty lets the answer hang
    record Reply(int status, String reasoning, String content, String finish) {
        static Reply content(String text) {
            return new Reply(200, "", text, "stop");
        }

        static Reply reasoned(String reasoning, String answer) {
            return new Reply(200, reasoning, answer, "stop");
        }

        Reply cut() {
            return new Reply(status, reasoning, content, "length");
        }
    }

    URI address() {
        return http.address();
    }

    /// The bodies of requests to the model, the survey's left out.
    List<JsonNode> requests() {
        return requests;
    }

    /// As in `GET /props`, of all that was asked.
    List<String> targets() {
        return targets;
    }

    /// @param json with single quotes
    FakeModelServer page(String target, String json) {
        pages.put(target, json.replace('\'', '"'));
        return this;
    }

    /// From now on it answers 503 to this.
    void overload(String target) {
        refusals.put(target, 503);
    }

    /// From now on it answers so to this.
    FakeModelServer refuse(String target, int status, String json) {
        page(target, json);
        refusals.put(target, status);
        return this;
    }

    /// Requests without this bearer are refused, but those for `open`, a target.
    FakeModelServer wantsKey(String bearer, String open) {
        key = bearer;
        openToAll = open;
        return this;
    }

    FakeModelServer model(Function<JsonNode, Reply> behaviour) {
        model = behaviour;
        return this;
    }

    /// Ollama 0.12.3.
    FakeModelServer ollama(String id, String family, String template) {
        page("GET /v1/models", list("{'id':'%s','object':'model','created':1,'owned_by':'library'}".formatted(id)));
        page("GET /api/version", "{'version':'0.12.3'}");
        var shown = JsonNodeFactory.instance.objectNode().put("template", template);
        shown.putObject("details").put("family", family);
        shown.putArray("capabilities").add("completion").add("thinking");
        pages.put("POST /api/show", shown.toString());
        return this;
    }

    /// vLLM 0.11.0, under a name that the operator chose.
    FakeModelServer vllm(String id, String repository) {
        page(
                "GET /v1/models",
                list("{'id':'%s','object':'model','created':1,'owned_by':'vllm','root':'%s','max_model_len':4096}"
                        .formatted(id, repository)));
        return page("GET /version", "{'version':'0.11.0'}");
    }

    /// llama-server b6710.
    FakeModelServer llamaServer(String id, String template) {
        page("GET /v1/models", list("{'id':'%s','object':'model','owned_by':'llamacpp','meta':{}}".formatted(id)));
        var properties = JsonNodeFactory.instance.objectNode().put("chat_template", template);
        properties.put("build_info", "b6710-74b8fc17").put("model_path", "/models/" + id + ".gguf");
        properties.putObject("default_generation_settings").put("n_ctx", 4096);
        pages.put("GET /props", properties.toString());
        return this;
    }

    /// LM Studio, which answers 200 to what it does not know.
    FakeModelServer studio(String id, String architecture) {
        page("GET /v1/models", list("{'id':'%s','object':'model','owned_by':'organization_owner'}".formatted(id)));
        for (var path : List.of("/props", "/api/version", "/version", "/get_server_info")) {
            page("GET " + path, "{'error':'Unexpected endpoint or method. Returning 200 anyway'}");
        }
        return page("GET /api/v0/models", list("{'id':'%s','arch':'%s'}".formatted(id, architecture)));
    }

    /// mlx_lm.server, which names itself in the head only.
    FakeModelServer mlx(String id) {
        head = "Server: BaseHTTP/0.6 Python/3.12.4\r\n";
        return page("GET /v1/models", list("{'id':'%s','object':'model','created':1}".formatted(id)));
    }

    /// A server that tells nothing but its list.
    FakeModelServer hosted(String id) {
        return page("GET /v1/models", list("{'id':'%s','object':'model'}".formatted(id)));
    }

    private static String list(String entry) {
        return "{'object':'list','data':[" + entry + "]}";
    }

    private void handle(Exchange exchange) throws IOException, InterruptedException {
        targets.add(exchange.target());
        var refusal = refusals.get(exchange.target());
        boolean keptOut = !key.isEmpty() && !exchange.header("authorization").equals("Bearer " + key);
        if (keptOut && !exchange.target().equals(openToAll)) {
            exchange.answer(401, "{}", head);
        } else if (refusal != null) {
            exchange.answer(refusal, pages.getOrDefault(exchange.target(), "{}"), head);
        } else if (exchange.target().equals("POST /v1/chat/completions")) {
            var request = JSON.readTree(exchange.body());
            if (!request.path("stream").asBoolean()) {
                exchange.answer(200, "{}", head); // one token for the survey
                return;
            }
            requests.add(request);
            reply(exchange, model.apply(request));
        } else if (pages.containsKey(exchange.target())) {
            exchange.answer(200, pages.get(exchange.target()), head);
        } else {
            exchange.answer(404, "{}", head);
        }
    }

    private static void reply(Exchange exchange, Reply reply) throws IOException, InterruptedException {
        if (reply.status != 200) {
            exchange.answer(reply.status, "{}");
            return;
        }
        exchange.beginEvents();
        delta(exchange, "reasoning_content", reply.reasoning, "");
        delta(exchange, "content", reply.content, "");
        if (reply.finish.isEmpty()) {
            exchange.awaitGone();
        } else {
            delta(exchange, "content", "", reply.finish);
            exchange.data("[DONE]");
        }
    }

    private static void delta(Exchange exchange, String member, String text, String finish) throws IOException {
        var chunk = JsonNodeFactory.instance.objectNode();
        var choice = chunk.putArray("choices").addObject();
        choice.putObject("delta").put(member, text);
        choice.put("finish_reason", finish.isEmpty() ? null : finish);
        exchange.data(chunk);
    }

    @Override
    public void close() {
        http.close();
    }
}
