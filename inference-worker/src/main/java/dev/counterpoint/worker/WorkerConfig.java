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

/// How this worker runs.
@ConfigMapping(prefix = "worker")
public interface WorkerConfig {
    /// Which engine: `simulated`; `llama`; `tiny`, which is `llama` with the model that comes with the
    /// worker; `auto`, which is `tiny` where llama.cpp runs, else `simulated`, which says why; or a
    /// kind of server: `vllm`, `vllm-tokens`, `sglang`, `llama-server`; or `chat`, a model that is not
    /// Harmony behind Chat Completions.
    @WithDefault("simulated")
    String engine();

    /// The model's name as clients ask for it; the engine's own when not set.
    Optional<String> modelName();

    /// File of the model, for engines that load one.
    Optional<Path> modelPath();

    /// Addresses of servers, separated by commas, for engines that call them.
    Optional<String> engineUrl();

    /// Addresses of Kafka brokers.
    @WithDefault("${kafka.bootstrap.servers:localhost:9092}")
    String bootstrapServers();

    /// Folder with the sealing keys.
    @WithDefault("${counterpoint.keys.dir:keys}")
    Path keysDir();

    /// How often this worker says that it lives.
    @WithDefault("500ms")
    Duration beatInterval();

    /// How often a response whose engine works without a token says so.
    @WithDefault("500ms")
    Duration progressInterval();

    /// How long an engine that generates may show no life, or not obey, before it counts as broken. Less than
    /// a gateway's patience with one response (`gateway.stream.hung-after-beats`), so that all are handed over
    /// at once.
    @WithDefault("8s")
    Duration engineSilence();

    /// How long sealed reasoning can be sent back, counted from its turn.
    @WithDefault("1h")
    Duration reasoningLifetime();

    Scheduling scheduling();

    /// Which jobs are taken, and when there is room for one more.
    interface Scheduling {
        /// While every band has jobs, so many of a round are urgent ones.
        @WithDefault("12")
        @Min(1)
        int highShare();

        /// And so many usual ones.
        @WithDefault("3")
        @Min(1)
        int normalShare();

        /// And so many that can wait.
        @WithDefault("1")
        @Min(1)
        int lowShare();

        /// Threads that take usual jobs; of the other bands one each.
        @WithDefault("4")
        @Min(1)
        int normalTakers();

        /// Context memory, in tokens, that must be free for one more job; what a slot has of it when not set.
        OptionalLong usualTokens();
    }

    Simulated simulated();

    /// The simulated engine's pace.
    interface Simulated {
        /// Generations at once.
        @WithDefault("64")
        @Min(1)
        int slots();

        /// Tokens of prompt and output together.
        @WithDefault("131072")
        @Min(1024)
        int contextLength();

        @WithDefault("120ms")
        Duration firstTokenTime();

        @WithDefault("15ms")
        Duration perTokenTime();

        /// For tests: every generation hangs, until it is cancelled, once its output has this many tokens, those of
        /// attempts before included. Never when not set.
        OptionalInt hangAfterTokens();

        /// For tests: every generation fails then.
        OptionalInt failAfterTokens();
    }

    Llama llama();

    /// The room and the library of the `llama` engine, whatever its model.
    interface Llama {
        /// Folder with a libllama of one's own; without it the pinned package is downloaded once.
        Optional<Path> libraryFolder();

        /// Generations at once.
        @WithDefault("8")
        @Min(1)
        int slots();

        /// Tokens of prompt and output of one generation.
        @WithDefault("8192")
        @Min(512)
        int contextLength();

        /// Tokens of all generations and kept prefixes together, which is what costs memory.
        @WithDefault("32768")
        @Min(512)
        int contextTokens();

        /// Tokens of prompts in one step, at most 512, while others wait for their next token.
        @WithDefault("128")
        @Min(1)
        int prefillTokens();

        /// Threads that compute; one core less than there are when not set.
        OptionalInt threads();
    }

    Chat chat();

    /// How the model of the `chat` engine shows its reasoning. Where its servers are is said with
    /// [Remote].
    interface Chat {
        /// The ways in which it does, tried together: `envelope`, `report-reasoning`, `markers`,
        /// `think`, `think-open`, `post-hoc`, `none`. Without one of the last two, text that cannot be
        /// told from reasoning is not shown.
        @WithDefault("envelope,markers,think,post-hoc")
        List<String> reasoning();

        /// Whether the servers take `response_format` with a JSON schema, and so keep to an envelope.
        @WithDefault("false")
        boolean sendsSchema();

        /// Sent as `max_tokens` with requests that have no limit; nothing is sent when not set.
        OptionalInt maxTokens();
    }

    Remote remote();

    /// How the engines of servers are reached: `vllm`, `vllm-tokens`, `sglang`, `llama-server` and
    /// `chat`.
    interface Remote {
        /// The name under which the servers serve the model; not sent when not set.
        Optional<String> upstreamModel();

        /// Sent to the servers as bearer token.
        Optional<String> apiKey();

        /// Generations at once, on all servers together.
        @WithDefault("32")
        @Min(1)
        int slots();

        /// Tokens of prompt and output of one generation; no more than the servers allow.
        @WithDefault("131072")
        @Min(1024)
        int contextLength();

        /// How long to wait for a connection, and for an answer after a server's health.
        @WithDefault("5s")
        Duration connectTimeout();

        /// How long a request may wait in a server's queue and for its prefill.
        @WithDefault("2m")
        Duration firstTokenTimeout();

        /// The longest between two events of an output.
        @WithDefault("30s")
        Duration idleTimeout();

        /// How often each server is asked whether it is well.
        @WithDefault("2s")
        Duration healthInterval();

        /// Whether all that the servers are asked, by whoever, is one tenant's: only then does `llama-server`, which
        /// knows no salts, keep prompts.
        @WithDefault("false")
        boolean oneTenant();
    }
}
