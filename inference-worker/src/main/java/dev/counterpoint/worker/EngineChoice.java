package dev.counterpoint.worker;

import dev.counterpoint.worker.engine.Engine;
import dev.counterpoint.worker.engine.simulated.SimulatedEngine;
import dev.counterpoint.worker.engine.simulated.SimulatedOptions;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/// Makes the engine that the settings ask for.
final class EngineChoice {
    private static final String SIMULATED_MODEL = "counterpoint-simulated";

    private EngineChoice() {}

    /// @throws IllegalArgumentException when no engine has the name that `worker.engine` asks for
    @Produces
    @Singleton
    static Engine engine(WorkerConfig config) {
        if (!config.engine().equals("simulated")) {
            throw new IllegalArgumentException("worker.engine is '" + config.engine() + "'; this build has: simulated");
        }
        var pace = config.simulated();
        return new SimulatedEngine(SimulatedOptions.immediate(config.modelName().orElse(SIMULATED_MODEL))
                .withTimes(pace.firstTokenTime(), pace.perTokenTime())
                .withSlots(pace.slots())
                .withContextLength(pace.contextLength()));
    }

    static void close(@Disposes Engine engine) {
        engine.close();
    }
}
