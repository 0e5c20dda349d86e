package dev.counterpoint.worker;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Min;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// The settings of a worker.
@ConfigMapping(prefix = "worker")
public interface WorkerConfig {
    /// The engine: `simulated`; `llama`; a kind of server (`vllm`, `vllm-tokens`, `sglang`, `llama-server`); or
    /// `chat`, a model that is not Harmony behind Chat Completions.
    @WithDefault("simulated")
    String engine();

    /// The model's name for clients; the engine's own name if not set.
    Optional<String> modelName();

    /// The model's description in `/v1/models`; the engine's own if not set.
    Optional<String> modelDescription();

    /// The model's file, for engines that load one (`llama`).
    Optional<Path> modelPath();

    /// The `http://` or `https://` addresses of the engine's servers, separated by commas.
    Optional<String> engineUrl();

    /// The addresses of Kafka brokers, `host:port`, separated by commas.
    @WithDefault("${kafka.bootstrap.servers:localhost:9092}")
    String bootstrapServers();

    /// The folder with the sealing keys.
    @WithDefault("${counterpoint.keys.dir:keys}")
    Path keysDir();

    /// The pause between two heartbeats of this worker, above 0; twice as long while nothing runs.
    @WithDefault("500ms")
    Duration beatInterval();

    /// The pause between two progress reports of a response while its engine works without a token.
    @WithDefault("500ms")
    Duration progressInterval();

    /// The longest time in which a generating engine may show no sign of life before it counts as broken. Less than the
    /// gateway's patience (`gateway.stream.hung-after-beats`), so that all responses are handed over at once.
    @WithDefault("8s")
    Duration engineSilence();

    /// Time after its turn within which sealed reasoning can be sent back.
    @WithDefault("1h")
    Duration reasoningLifetime();

    /// The most tokens, reasoning included, of an answer with a format or a forced call whose request names no limit; 0
    /// for no limit. Engines that mask every token (`simulated`, `llama`) apply it to all requests with tools.
    @WithDefault("8192")
    @Min(0)
    int formTokensMax();

    /// The most workers of the model: the partitions of its topic, of which each worker needs one. A worker with a
    /// larger number adds partitions; none are removed.
    @WithDefault("64")
    @Min(1)
    int workersMax();

    Scheduling scheduling();

    /// When there is capacity for one more job.
    interface Scheduling {
        /// The context memory in tokens that must be free for one more job; the share of one slot if not set.
        OptionalLong usualTokens();
    }

    Drafts drafts();

    /// Drafts, which are small texts that summarizers ask for.
    interface Drafts {
        /// Drafts that this worker writes at once, from 0 (none) to 8; if not set 1, with the simulated engine 0. A
        /// draft takes a slot only while a quarter of the slots, and at least one, stay free.
        OptionalInt atOnce();
    }

    Simulated simulated();

    /// The simulated engine's pace.
    interface Simulated {
        /// The number of generations at once, at least 1.
        @WithDefault("64")
        @Min(1)
        int slots();

        /// The tokens of prompt and output together, at least 1024.
        @WithDefault("131072")
        @Min(1024)
        int contextLength();

        /// The time from the start of a generation to its first token, a duration.
        @WithDefault("120ms")
        Duration firstTokenTime();

        /// The time from one token to the next, a duration.
        @WithDefault("15ms")
        Duration perTokenTime();

        /// For tests: every generation hangs until it is cancelled, once its output, earlier attempts included, has
        /// this many tokens.
        OptionalInt hangAfterTokens();

        /// For tests: every generation fails once its output has this many tokens.
        OptionalInt failAfterTokens();

        /// For tests: the process ends as if killed while it prefills a prompt with this text.
        Optional<String> crashOn();
    }

    Llama llama();

    /// The capacity and the library of the `llama` engine, whatever its model.
    interface Llama {
        /// The folder of your own libllama; if not set, the pinned package is downloaded once.
        Optional<Path> libraryFolder();

        /// The number of generations at once, from 1 to 224.
        @WithDefault("8")
        @Min(1)
        int slots();

        /// The tokens of prompt and output of one generation, at least 512.
        @WithDefault("8192")
        @Min(512)
        int contextLength();

        /// The tokens of all generations and kept prefixes together, which decides the memory; at
        /// least `worker.llama.context-length`.
        @WithDefault("32768")
        @Min(512)
        int contextTokens();

        /// The tokens of prompts in one step while other generations wait for their next token, from 1
        /// to 512.
        @WithDefault("128")
        @Min(1)
        int prefillTokens();

        /// The temperature, from 0 to 2, of a model that is not gpt-oss if a request names none.
        @WithDefault("0.8")
        double temperature();

        /// The top-p, above 0 and at most 1, of a model that is not gpt-oss if a request names none.
        @WithDefault("0.95")
        double topP();

        /// Computing threads, at least 1; one less than there are cores if not set.
        OptionalInt threads();
    }

    Chat chat();

    /// The way in which the model of the `chat` engine shows its reasoning. [Remote] says where its
    /// servers are.
    interface Chat {
        /// How the model shows its reasoning. `auto`: the worker asks the servers and knows families of models. Else
        /// strategies, separated by commas: `envelope`, `report-reasoning`, `markers`, `think`, `think-open`,
        /// `post-hoc`, `none`. Without one of the last two, text without reasoning marks is not shown.
        @WithDefault("auto")
        List<String> reasoning();

        /// The model's family, which decides its marks and how thinking is turned off; if not set, the chat template or
        /// the model's name decides.
        Optional<String> family();

        /// More marks around reasoning, pairs of an opening and a closing one with `…` between them,
        /// separated by commas, such as `<reason>…</reason>`.
        Optional<List<String>> marks();

        /// The pause, above 0, between two checks that the servers still have the same model.
        @WithDefault("1m")
        Duration askInterval();

        /// Whether the servers accept `response_format` with a JSON schema; if not set, `true` for vLLM, SGLang,
        /// llama-server, Ollama and LM Studio, else `false`.
        Optional<Boolean> sendsSchema();

        /// Whether servers that accept schemas also accept them beside tools. On a server that makes every word fit the
        /// schema the model can then call nothing.
        @WithDefault("false")
        boolean sendsSchemaWithTools();

        /// Whether the servers accept `reasoning_effort`, which is sent if a request names an effort; if not set, the
        /// model's family decides.
        Optional<Boolean> sendsEffort();

        /// Whether the model accepts images; if not set, Ollama, llama-server and LM Studio report it, and it is
        /// `false` elsewhere. For addresses of images see `gateway.image-addresses`.
        Optional<Boolean> takesImages();

        /// The `max_tokens` of requests without a limit of their own; if not set, nothing is sent.
        OptionalInt maxTokens();
    }

    Remote remote();

    /// The way to the servers of the engines `vllm`, `vllm-tokens`, `sglang`, `llama-server` and `chat`.
    interface Remote {
        /// The model's name at the servers; if not set, no name is sent.
        Optional<String> upstreamModel();

        /// The bearer token for the servers.
        Optional<String> apiKey();

        /// Generations at once on all servers together, at least 1; if not set, it follows from the servers' load, and
        /// is 32 for `chat`.
        OptionalInt slots();

        /// The most tokens of prompt and output of one generation; a smaller number of a server wins.
        @WithDefault("131072")
        @Min(1024)
        int contextLength();

        /// The longest wait, above 0, for a connection and for the answer to a health check.
        @WithDefault("5s")
        Duration connectTimeout();

        /// The longest wait, above 0, in a server's queue and for the prefill.
        @WithDefault("2m")
        Duration firstTokenTimeout();

        /// The longest pause between two events of an output, a duration above 0.
        @WithDefault("30s")
        Duration idleTimeout();

        /// The pause, above 0, between two health checks of a server.
        @WithDefault("2s")
        Duration healthInterval();

        /// Whether all requests to the servers belong to one tenant. Only then does `llama-server`, which knows no
        /// salts, keep prompts.
        @WithDefault("false")
        boolean oneTenant();
    }
}
