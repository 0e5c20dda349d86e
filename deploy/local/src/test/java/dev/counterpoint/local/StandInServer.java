package dev.counterpoint.local;

import dev.counterpoint.engine.testkit.FakeHttpServer;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A server that answers the questions after itself as the real one does; where that is written stands beside each.
final class StandInServer implements AutoCloseable {
    private final Map<String, String> pages = new HashMap<>();
    private final FakeHttpServer http;
    private final int status;

    private StandInServer(Map<String, String> pages, int status) {
        this.pages.putAll(pages);
        this.status = status;
        // All pages stand before the first question.
        http = new FakeHttpServer(exchange -> {
            var page = this.pages.get(exchange.target());
            if (page == null) {
                exchange.answer(this.status, "{\"detail\":\"Not Found\"}");
            } else if (page.isEmpty()) {
                exchange.awaitGone();
            } else {
                exchange.answer(200, page);
            }
        });
    }

    /// vLLM 0.32.0: `vllm/entrypoints/openai/models/protocol.py` (`ModelCard`), `.../serve/instrumentator/basic.py`.
    static StandInServer vllm(String id, String root) {
        return of(404, "GET /v1/models", """
                {"object":"list","data":[{"id":"%s","object":"model","created":1764000000,"owned_by":"vllm",
                "root":"%s","parent":null,"max_model_len":131072,"permission":[]}]}""".formatted(id, root), "GET /version", "{\"version\":\"0.32.0\"}");
    }

    /// SGLang 0.5: `python/sglang/srt/entrypoints/openai/protocol.py` (`ModelCard`), `.../http_server.py`.
    static StandInServer sglang(String id) {
        return of(
                404,
                "GET /v1/models",
                """
                {"object":"list","data":[{"id":"%1$s","object":"model","created":1764000000,"owned_by":"sglang",
                "root":"%1$s","parent":null,"max_model_len":131072}]}""".formatted(id),
                "GET /get_server_info",
                "{\"model_path\":\"%s\",\"reasoning_parser\":null,\"version\":\"0.5.3\"}".formatted(id));
    }

    /// llama-server b6710: `tools/server/server-context.cpp` (`get_models`, `get_props`).
    static StandInServer llamaServer(String file, String template) {
        return of(404, "GET /v1/models", """
                {"models":[{"name":"%1$s","model":"%1$s","capabilities":["completion"]}],"object":"list",
                "data":[{"id":"%1$s","object":"model","created":1764000000,"owned_by":"llamacpp",
                "meta":{"n_vocab":201088,"n_ctx_train":131072}}]}""".formatted(file), "GET /props", """
                {"default_generation_settings":{"n_ctx":4096,"params":{"reasoning_format":"none"}},"total_slots":4,
                "model_path":"/models/%s","chat_template":"%s","build_info":"b6710-74b8fc17"}""".formatted(file, template));
    }

    /// LM Studio: github.com/lmstudio-ai/docs, `1_developer/2_rest/endpoints.mdx`; any other address answers 200.
    static StandInServer studio(String id, String architecture) {
        var list = """
                {"object":"list","data":[
                {"id":"text-embedding-nomic-embed-text-v1.5","object":"model","type":"embeddings",
                "publisher":"nomic-ai","arch":"nomic-bert","state":"not-loaded","max_context_length":2048},
                {"id":"%s","object":"model","type":"llm","publisher":"lmstudio-community","arch":"%s",
                "state":"loaded","max_context_length":131072}]}""".formatted(id, architecture);
        var error = "{\"error\":\"Unexpected endpoint or method. Returning 200 anyway\"}";
        return of(
                404,
                "GET /v1/models",
                list,
                "GET /api/v0/models",
                list,
                "GET /props",
                error,
                "GET /version",
                error,
                "GET /api/version",
                error,
                "GET /get_server_info",
                error);
    }

    /// Ollama 0.12.3: `server/routes.go`, `openai/openai.go` (`ToListCompletion`), `docs/api.md` (show).
    ///
    /// @param models their names; a name with `embed` is of one that makes no text
    static StandInServer ollama(String... models) {
        var entries = List.of(models).stream()
                .map("{\"id\":\"%s\",\"object\":\"model\",\"created\":1764000000,\"owned_by\":\"library\"}"::formatted)
                .toList();
        boolean embeds = List.of(models).stream().allMatch(name -> name.contains("embed"));
        return of(
                404,
                "GET /v1/models",
                "{\"object\":\"list\",\"data\":" + entries + "}",
                "GET /api/version",
                "{\"version\":\"0.12.3\"}",
                "POST /api/show",
                "{\"template\":\"\",\"details\":{\"family\":\"\"},\"capabilities\":[\"%s\"]}"
                        .formatted(embeds ? "embedding" : "completion"));
    }

    /// A gateway of ours, asked without a key or with one.
    static StandInServer counterpoint(boolean open) {
        var list = """
                {"object":"list","data":[{"id":"gpt-oss-20b","object":"model","created":1754352000,
                "owned_by":"counterpoint","context_length":131072,"description":"gpt-oss-20b by vLLM"}]}""";
        return open ? of(404, "GET /v1/models", list) : of(401);
    }

    /// Something that takes connections and says nothing.
    static StandInServer silent() {
        return of(404, "GET /v1/models", "");
    }

    private static StandInServer of(int otherwise, String... pages) {
        var all = new HashMap<String, String>();
        for (int i = 0; i < pages.length; i += 2) {
            all.put(pages[i], pages[i + 1]);
        }
        return new StandInServer(all, otherwise);
    }

    URI address() {
        return http.address();
    }

    int port() {
        return http.port();
    }

    @Override
    public void close() {
        http.close();
    }
}
