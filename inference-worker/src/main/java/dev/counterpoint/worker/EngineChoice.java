package dev.counterpoint.worker;

import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.chat.ChatEngine;
import dev.counterpoint.engine.chat.ChatOptions;
import dev.counterpoint.engine.gguf.GgufEngine;
import dev.counterpoint.engine.http.UpstreamAccess;
import dev.counterpoint.engine.llama.LibrarySource;
import dev.counterpoint.engine.llama.LlamaEngine;
import dev.counterpoint.engine.llama.LlamaOptions;
import dev.counterpoint.engine.llama.UnusableModelException;
import dev.counterpoint.engine.remote.LlamaServerDialect;
import dev.counterpoint.engine.remote.RemoteEngine;
import dev.counterpoint.engine.remote.RemoteOptions;
import dev.counterpoint.engine.remote.ServerDialect;
import dev.counterpoint.engine.remote.SglangDialect;
import dev.counterpoint.engine.remote.VllmDialect;
import dev.counterpoint.engine.simulated.SimulatedEngine;
import dev.counterpoint.engine.simulated.SimulatedOptions;
import dev.counterpoint.worker.attempt.WorkerMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// Makes the engine that the settings ask for.
final class EngineChoice {
    private static final int CHAT_SLOTS = 32;
    private static final String SIMULATED_MODEL = "counterpoint-simulated";

    private EngineChoice() {}

    /// @throws IllegalArgumentException when no engine has the name that `worker.engine` asks for, or it
    ///     lacks its model
    @Produces
    @Singleton
    static Engine engine(WorkerConfig config, MeterRegistry registry) {
        return switch (config.engine()) {
            case "simulated" -> simulated(config);
            case "llama" -> llama(config, registry);
            case "vllm" -> remote(config, VllmDialect.COMPLETIONS);
            case "vllm-tokens" -> remote(config, VllmDialect.TOKENS);
            case "sglang" -> remote(config, new SglangDialect());
            case "llama-server" ->
                remote(config, new LlamaServerDialect(config.remote().oneTenant()));
            case "chat" -> chat(config);
            default ->
                throw new IllegalArgumentException("worker.engine is '" + config.engine()
                        + "'; this build has: simulated, llama, vllm," + " vllm-tokens, sglang, llama-server, chat");
        };
    }

    private static Engine simulated(WorkerConfig config) {
        var pace = config.simulated();
        var options = SimulatedOptions.immediate(config.modelName().orElse(SIMULATED_MODEL))
                .withTimes(pace.firstTokenTime(), pace.perTokenTime())
                .withSlots(pace.slots())
                .withContextLength(pace.contextLength())
                .withFaults(new SimulatedOptions.Faults(
                        number(pace.hangAfterTokens()),
                        number(pace.failAfterTokens()),
                        pace.crashOn().orElse(null)));
        return new SimulatedEngine(options);
    }

    private static @Nullable Integer number(OptionalInt setting) {
        return setting.isPresent() ? setting.getAsInt() : null;
    }

    /// The file decides: gpt-oss by its own tokens, every other model by messages.
    private static Engine llama(WorkerConfig config, MeterRegistry registry) {
        var file = config.modelPath()
                .orElseThrow(() -> new IllegalArgumentException(
                        "worker.engine is 'llama', which needs worker.model-path, the file of a model (GGUF)"));
        var llama = config.llama();
        var usual = new Sampling(llama.temperature(), llama.topP(), 0, 0, 0, Map.of(), null, null);
        var engine = LlamaEngine.open(library(config), llamaOptions(config, modelName(file), file));
        if (engine.file().isHarmony()) {
            return engine;
        }
        var model = engine.describe().model();
        try {
            return new GgufEngine(
                    engine, usual, WorkerMetrics.masks(registry, Tags.of("engine", "llama", "model", model))::record);
        } catch (UnusableModelException e) {
            engine.close();
            throw e;
        }
    }

    private static Engine remote(WorkerConfig config, ServerDialect dialect) {
        var remote = config.remote();
        return new RemoteEngine(new RemoteOptions(
                dialect,
                servedModel(config),
                remote.upstreamModel().orElse(null),
                new UpstreamAccess(
                        servers(config), remote.apiKey().orElse(null), timeouts(remote), ServerDialect.HEALTH_PATH),
                remote.slots(),
                remote.contextLength()));
    }

    private static Engine chat(WorkerConfig config) {
        var remote = config.remote();
        // Users often give the address of such a server with the version at its end.
        var servers = servers(config).stream()
                .map(address -> URI.create(address.toString().replaceFirst("/v1$", "")))
                .toList();
        var model = servedModel(config);
        var max = config.chat().maxTokens();
        return new ChatEngine(new ChatOptions(
                model,
                remote.upstreamModel().orElse(model),
                new UpstreamAccess(servers, remote.apiKey().orElse(null), timeouts(remote), ChatEngine.HEALTH_PATH),
                remote.slots().orElse(CHAT_SLOTS),
                remote.contextLength(),
                ChatSettings.strategies(config.chat()),
                ChatSettings.knowing(config.chat()),
                number(max)));
    }

    private static String servedModel(WorkerConfig config) {
        return config.modelName()
                .or(config.remote()::upstreamModel)
                .orElseThrow(() -> lacks(config, "worker.model-name, what clients call the model"));
    }

    private static List<URI> servers(WorkerConfig config) {
        var addresses = config.engineUrl().orElseThrow(() -> lacks(config, "worker.engine-url, where its servers are"));
        try {
            return UpstreamAccess.addresses(addresses);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("worker.engine-url: " + e.getMessage());
        }
    }

    private static UpstreamAccess.Timeouts timeouts(WorkerConfig.Remote remote) {
        return new UpstreamAccess.Timeouts(
                positive("connect-timeout", remote.connectTimeout()),
                positive("first-token-timeout", remote.firstTokenTimeout()),
                positive("idle-timeout", remote.idleTimeout()),
                positive("health-interval", remote.healthInterval()));
    }

    private static IllegalArgumentException lacks(WorkerConfig config, String what) {
        return new IllegalArgumentException("worker.engine is '" + config.engine() + "', which needs " + what);
    }

    private static Duration positive(String name, Duration time) {
        if (!time.isPositive()) {
            throw new IllegalArgumentException("worker.remote." + name + " is not positive");
        }
        return time;
    }

    private static LibrarySource library(WorkerConfig config) {
        return LibrarySource.ofEnvironment(config.llama().libraryFolder());
    }

    private static LlamaOptions llamaOptions(WorkerConfig config, String name, Path file) {
        var llama = config.llama();
        var capacity = new LlamaOptions.Capacity(
                llama.slots(),
                llama.contextLength(),
                llama.contextTokens(),
                llama.prefillTokens(),
                LlamaOptions.Capacity.KEPT_PREFIXES);
        return new LlamaOptions(
                config.modelName().orElse(name), file, capacity, llama.threads().orElse(LlamaOptions.freeCores()));
    }

    private static String modelName(Path file) {
        return file.getFileName().toString().replaceFirst("(?i)\\.gguf$", "");
    }

    static void close(@Disposes Engine engine) {
        engine.close();
    }
}
