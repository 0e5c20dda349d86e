package dev.counterpoint.local;

import dev.counterpoint.engine.testkit.FakeHttpServer;
import dev.counterpoint.engine.testkit.FakeHttpServer.Exchange;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;

/// A server with gpt-oss that answers a worker's survey as the real one does, and has one fault.
///
/// The answers are those of vLLM 0.32.0 (`entrypoints/openai/models/protocol.py`, `.../serve/tokenize/protocol.py`),
/// SGLang 0.5.23 (`entrypoints/http_server.py`) and llama-server (`tools/server`), as far as a worker reads them.
final class SurveyedServer implements AutoCloseable {
    static final String MODEL = "openai/gpt-oss-20b";
    static final String OTHER_MODEL = "Qwen/Qwen3-8B";
    static final int SMALL = 4096;
    private static final int WHOLE = 131_072;
    /// `<|start|>assistant<|channel|>analysis<|message|>` by gpt-oss's tokenizer, and by one without such marks.
    private static final String MARKS = "[200006,173781,200005,35644,200008]";

    private static final String NO_MARKS = "[27,91,2527,91,29]";

    /// A kind of server, by the engine that it is for: the path of its jobs, the owner of its models, the status that
    /// refuses a job where the server was started with other flags, and an event with one token, which ends the output.
    enum Kind {
        /// Started with `--runner pooling`.
        VLLM(
                "vllm",
                "/v1/completions",
                "vllm",
                404,
                "{\"choices\":[{\"index\":0,\"text\":\"\",\"token_ids\":[17],\"finish_reason\":\"length\"}]}"),
        /// Started without `--enable-scale-out`.
        VLLM_TOKENS("vllm-tokens", "/inference/v1/generate", "vllm", 403, ""),
        /// Another server at the address of one.
        SGLANG(
                "sglang",
                "/generate",
                "sglang",
                404,
                "{\"output_ids\":[17],\"meta_info\":{\"completion_tokens\":1,"
                        + "\"finish_reason\":{\"type\":\"length\"}}}"),
        /// Started with `--embeddings`.
        LLAMA_SERVER(
                "llama-server",
                "/completion",
                "llamacpp",
                501,
                "{\"content\":\"\",\"tokens\":[17],\"tokens_predicted\":1,\"stop\":true,\"stop_type\":\"limit\"}"),
        /// A vLLM, started with `--runner pooling`.
        CHAT("chat", "/v1/chat/completions", "vllm", 404, "");

        final String engine;
        private final String path;
        private final String owner;
        private final int closed;
        private final String token;

        Kind(String engine, String path, String owner, int closed, String token) {
            this.engine = engine;
            this.path = path;
            this.owner = owner;
            this.closed = closed;
            this.token = token;
        }
    }

    enum Fault {
        WRONG_FLAG,
        WRONG_MODEL,
        WANTS_KEY,
        NOT_HARMONY,
        /// Serves all the same.
        SMALL_CONTEXT
    }

    private final Kind kind;
    private final Fault fault;
    private final Map<String, String> pages;
    private final FakeHttpServer http;

    SurveyedServer(Kind kind, Fault fault) {
        this.kind = kind;
        this.fault = fault;
        int context = fault == Fault.SMALL_CONTEXT ? SMALL : WHOLE;
        pages = Map.of(
                "GET /health",
                "{}",
                "GET /v1/models",
                """
                {"object":"list","data":[{"id":"%s","object":"model","created":1764000000,"owned_by":"%s",
                "max_model_len":%d}]}""".formatted(fault == Fault.WRONG_MODEL ? OTHER_MODEL : MODEL, kind.owner, context),
                "POST /tokenize",
                "{\"count\":5,\"tokens\":%s}".formatted(fault == Fault.NOT_HARMONY ? NO_MARKS : MARKS),
                page(Kind.VLLM, "GET /version"),
                "{\"version\":\"0.32.0\"}",
                page(Kind.SGLANG, "GET /get_server_info"),
                """
                {"version":"0.5.23","max_total_num_tokens":400000,"max_running_requests":64,
                "incremental_streaming_output":true}""",
                page(Kind.LLAMA_SERVER, "GET /props"),
                """
                {"default_generation_settings":{"n_ctx":%d},"total_slots":4,"chat_template":"",
                "model_path":"/models/gpt-oss-20b.gguf","build_info":"b6710-74b8fc17"}""".formatted(context));
        http = new FakeHttpServer(this::handle);
    }

    /// A page that only one kind of server has.
    private String page(Kind of, String target) {
        return kind.owner.equals(of.owner) ? target : "none of " + target;
    }

    URI address() {
        return http.address();
    }

    private void handle(Exchange exchange) throws IOException {
        var target = exchange.target();
        if (fault == Fault.WANTS_KEY && isGuarded(target)) {
            exchange.answer(401, "{\"error\":\"Unauthorized\"}");
        } else if (target.equals("POST " + kind.path)) {
            generate(exchange);
        } else if (pages.containsKey(target)) {
            exchange.answer(200, Objects.requireNonNull(pages.get(target)));
        } else {
            exchange.answer(404, "{\"detail\":\"Not Found\"}");
        }
    }

    /// vLLM guards what lies below `/v1`, SGLang all but its health, llama-server leaves its list open, too.
    private boolean isGuarded(String target) {
        return switch (kind) {
            case VLLM, VLLM_TOKENS, CHAT -> target.contains(" /v1/");
            case SGLANG -> !target.equals("GET /health");
            case LLAMA_SERVER -> !target.equals("GET /health") && !target.equals("GET /v1/models");
        };
    }

    private void generate(Exchange exchange) throws IOException {
        if (fault == Fault.WRONG_FLAG) {
            exchange.answer(kind.closed, "{\"detail\":\"Not Found\"}");
            return;
        }
        var request = new String(exchange.body(), StandardCharsets.UTF_8);
        if (!request.contains("\"stream\":true")) {
            exchange.answer(200, "{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"B\"}}]}");
            return;
        }
        exchange.beginEvents();
        exchange.data(kind == Kind.CHAT ? answer(request) : kind.token);
        exchange.data("[DONE]");
    }

    /// To the questions by which a model of the `chat` engine is tried.
    private static String answer(String request) {
        return "{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"%s\"},\"finish_reason\":\"stop\"}]}"
                .formatted(request.contains("17 + 25") ? "42" : "BLUE");
    }

    @Override
    public void close() {
        http.close();
    }
}
