package dev.counterpoint.worker;

import dev.counterpoint.worker.engine.Engine;
import dev.counterpoint.worker.engine.llama.LibrarySource;
import dev.counterpoint.worker.engine.llama.LlamaEngine;
import dev.counterpoint.worker.engine.llama.LlamaOptions;
import dev.counterpoint.worker.engine.simulated.SimulatedEngine;
import dev.counterpoint.worker.engine.simulated.SimulatedOptions;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.nio.file.Path;

/// Makes the engine that the settings ask for.
final class EngineChoice {
    private static final String SIMULATED_MODEL = "counterpoint-simulated";

    private EngineChoice() {}

    /// @throws IllegalArgumentException when no engine has the name that `worker.engine` asks for, or it lacks its
    /// model
    @Produces
    @Singleton
    static Engine engine(WorkerConfig config) {
        return switch (config.engine()) {
            case "simulated" -> simulated(config);
            case "llama" -> llama(config);
            default ->
                throw new IllegalArgumentException(
                        "worker.engine is '" + config.engine() + "'; this build has: simulated, llama");
        };
    }

    private static Engine simulated(WorkerConfig config) {
        var pace = config.simulated();
        return new SimulatedEngine(SimulatedOptions.immediate(config.modelName().orElse(SIMULATED_MODEL))
                .withTimes(pace.firstTokenTime(), pace.perTokenTime())
                .withSlots(pace.slots())
                .withContextLength(pace.contextLength()));
    }

    private static Engine llama(WorkerConfig config) {
        var file = config.modelPath()
                .orElseThrow(() -> new IllegalArgumentException(
                        "worker.engine is 'llama', which needs worker.model-path, the file of a gpt-oss model (GGUF)"));
        var room = config.llama();
        var defaults = LlamaOptions.defaults(config.modelName().orElse(modelName(file)), file);
        var options = defaults.withSlots(room.slots())
                .withContext(room.contextLength(), room.contextTokens())
                .withThreads(room.threads().orElse(defaults.threads()));
        return LlamaEngine.open(LibrarySource.ofEnvironment(room.libraryFolder()), options);
    }

    private static String modelName(Path file) {
        return file.getFileName().toString().replaceFirst("(?i)\\.gguf$", "");
    }

    static void close(@Disposes Engine engine) {
        engine.close();
    }
}
