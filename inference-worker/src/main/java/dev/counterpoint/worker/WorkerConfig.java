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

    /// The model's name as clients ask for it; without this setting it is the engine's own name.
    Optional<String> modelName();

    /// What `/v1/models` says of the model; without this setting the engine describes it.
    Optional<String> modelDescription();

    /// The file of the model, for the engines that load one (`llama`).
    Optional<Path> modelPath();

    /// The addresses of servers, separated by commas, for the engines that call servers; each begins with
    /// `http://` or `https://`.
    Optional<String> engineUrl();

    /// The addresses of Kafka brokers, `host:port`, separated by commas.
    @WithDefault("${kafka.bootstrap.servers:localhost:9092}")
    String bootstrapServers();

    /// The folder with the sealing keys.
    @WithDefault("${counterpoint.keys.dir:keys}")
    Path keysDir();

    /// The pause between two heartbeats of this worker, a duration above 0; it is twice as long while nothing runs.
    @WithDefault("500ms")
    Duration beatInterval();

    /// The pause between two reports of progress of a response whose engine works without a token, a
    /// duration.
    @WithDefault("500ms")
    Duration progressInterval();

    /// The longest time in which an engine that generates may show no life, or not obey, before it counts
    /// as broken. The duration is less than the gateway's patience with one response
    /// (`gateway.stream.hung-after-beats`), so that all responses are handed over at once.
    @WithDefault("8s")
    Duration engineSilence();

    /// The time in which sealed reasoning can be sent back, a duration counted from its turn.
    @WithDefault("1h")
    Duration reasoningLifetime();

    /// The most tokens, reasoning included, of an answer that must keep to a format or must call a tool, where the
    /// request names no limit: such an answer may find no end of its own. The engines that mask every token
    /// (`simulated`, `llama`) keep it in all requests with tools. 0 is no limit.
    @WithDefault("8192")
    @Min(0)
    int formTokensMax();

    /// The most workers that the model can have, at least 1: the partitions of its topic, of which each worker needs
    /// one. More are added when a worker with a larger number starts; none are taken away.
    @WithDefault("64")
    @Min(1)
    int workersMax();

    Scheduling scheduling();

    /// When there is capacity for one more job.
    interface Scheduling {
        /// The context memory, in tokens, that must be free for one more job, from 1 to the whole memory;
        /// without this setting it is the share of one slot.
        OptionalLong usualTokens();
    }

    Drafts drafts();

    /// Drafts, which are small texts that summarizers ask for.
    interface Drafts {
        /// The number of drafts that this worker writes at once, from 0, which takes none, to 8; without this
        /// setting 1, and 0 with the simulated engine. A draft takes a slot only while a quarter of the slots,
        /// and one at least, stay free.
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

        /// For tests: every generation hangs, until it is cancelled, once its output has this many tokens,
        /// those of earlier attempts included; without this setting none does.
        OptionalInt hangAfterTokens();

        /// For tests: every generation fails once its output has this many tokens; without this setting
        /// none does.
        OptionalInt failAfterTokens();

        /// For tests: the process ends at once, as if it was killed, in the prefill of a prompt with this
        /// text; without this setting none does.
        Optional<String> crashOn();
    }

    Llama llama();

    /// The capacity and the library of the `llama` engine, whatever its model.
    interface Llama {
        /// The folder with a libllama of one's own; without this setting the pinned package is
        /// downloaded once.
        Optional<Path> libraryFolder();

        /// The number of generations at once, from 1 to 224.
        @WithDefault("8")
        @Min(1)
        int slots();

        /// The tokens of prompt and output of one generation, at least 512.
        @WithDefault("8192")
        @Min(512)
        int contextLength();

        /// The tokens of all generations and kept prefixes together, which is what costs memory; at least
        /// `worker.llama.context-length`.
        @WithDefault("32768")
        @Min(512)
        int contextTokens();

        /// The tokens of prompts in one step while other generations wait for their next token, from 1
        /// to 512.
        @WithDefault("128")
        @Min(1)
        int prefillTokens();

        /// The temperature of a model that is not gpt-oss where a request names none, from 0 to 2.
        @WithDefault("0.8")
        double temperature();

        /// The top-p of a model that is not gpt-oss where a request names none, above 0 and at most 1.
        @WithDefault("0.95")
        double topP();

        /// The number of threads that compute, at least 1; without this setting one less than there are
        /// cores.
        OptionalInt threads();
    }

    Chat chat();

    /// The way in which the model of the `chat` engine shows its reasoning. [Remote] says where its
    /// servers are.
    interface Chat {
        /// The way in which the model shows its reasoning: `auto` leaves that to the worker, which asks the
        /// servers and knows families of models; else strategies that separate reasoning from the answer, used
        /// together and separated by commas: `envelope`, `report-reasoning`, `markers`, `think`, `think-open`,
        /// `post-hoc`, `none`. Without one of the last two, text without reasoning marks is not shown.
        @WithDefault("auto")
        List<String> reasoning();

        /// The model's family, which decides its marks and the switch of its thinking; without this setting
        /// the chat template or the model's name decides.
        Optional<String> family();

        /// More marks around reasoning, pairs of an opening and a closing one with `…` between them,
        /// separated by commas, such as `<reason>…</reason>`.
        Optional<List<String>> marks();

        /// The pause between two questions to the servers whether the model is still the same, a
        /// duration above 0.
        @WithDefault("1m")
        Duration askInterval();

        /// Whether the servers take `response_format` with a JSON schema; without this setting it is `true` for
        /// vLLM, SGLang, llama-server, Ollama and LM Studio, and `false` on other servers.
        Optional<Boolean> sendsSchema();

        /// Whether servers that take schemas take them in requests with tools, too. A server that makes every
        /// word fit the schema lets the model call nothing any more.
        @WithDefault("false")
        boolean sendsSchemaWithTools();

        /// Whether the servers take `reasoning_effort`, which is sent where a request names an effort;
        /// without this setting the model's family says so.
        Optional<Boolean> sendsEffort();

        /// Whether the model takes images; without this setting Ollama, llama-server and LM Studio say so, and
        /// it is `false` on other servers. Addresses of images are another matter: `gateway.image-addresses`.
        Optional<Boolean> takesImages();

        /// The number of tokens sent as `max_tokens` with requests that have no limit of their own; without
        /// this setting nothing is sent.
        OptionalInt maxTokens();
    }

    Remote remote();

    /// The way to the servers of the engines `vllm`, `vllm-tokens`, `sglang`, `llama-server` and `chat`.
    interface Remote {
        /// The name under which the servers serve the model; without this setting no name is sent.
        Optional<String> upstreamModel();

        /// The bearer token that is sent to the servers; without this setting none is sent.
        Optional<String> apiKey();

        /// The number of generations at once on all servers together, at least 1; without this setting it
        /// follows from what the servers say of their load, and is 32 for `chat`.
        OptionalInt slots();

        /// The tokens of prompt and output of one generation at most, at least 1024; servers that tell a
        /// smaller number decide.
        @WithDefault("131072")
        @Min(1024)
        int contextLength();

        /// The longest wait for a connection, and for an answer after a server's health; a duration
        /// above 0.
        @WithDefault("5s")
        Duration connectTimeout();

        /// The longest wait in a server's queue and for the prefill, a duration above 0.
        @WithDefault("2m")
        Duration firstTokenTimeout();

        /// The longest pause between two events of an output, a duration above 0.
        @WithDefault("30s")
        Duration idleTimeout();

        /// The pause between two questions after a server's health, a duration above 0.
        @WithDefault("2s")
        Duration healthInterval();

        /// Whether everything that anybody asks the servers belongs to one tenant: only then does
        /// `llama-server`, which knows no salts, keep prompts.
        @WithDefault("false")
        boolean oneTenant();
    }
}
