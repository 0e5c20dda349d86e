package dev.counterpoint.worker.take;

import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.seal.GenerateKeys;
import dev.counterpoint.bus.testkit.TestAccounts;
import dev.counterpoint.engine.simulated.SimulatedEngine;
import dev.counterpoint.engine.simulated.SimulatedOptions;
import dev.counterpoint.servicekit.tracing.Tracing;
import dev.counterpoint.testkit.TestConfig;
import dev.counterpoint.testkit.TestInfra;
import dev.counterpoint.testkit.TestKafka;
import dev.counterpoint.worker.WorkerConfig;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Workers of one model between a real broker and the simulated engine, with the gateway that gives them jobs.
final class TestWorkers {
    private static final int INBOXES = 4;

    final KafkaClients clients = new KafkaClients(TestInfra.kafka().bootstrapServers(), TestKafka.adminLogin());
    final String model = "model-" + UUID.randomUUID();
    final MeterRegistry registry = new SimpleMeterRegistry();
    final TestGateway gateway;
    private final Path keysDir;
    private final List<Worker> running = new ArrayList<>();

    /// @param keysDir gets keys and accounts of all roles
    TestWorkers(Path keysDir) throws Exception {
        this(keysDir, INBOXES);
    }

    TestWorkers(Path keysDir, int inboxes) throws Exception {
        this.keysDir = keysDir;
        GenerateKeys.into(keysDir);
        TestAccounts.join(keysDir, clients.bootstrap(), TestKafka.adminLogin());
        gateway = new TestGateway(clients, keysDir, model, inboxes);
    }

    SimulatedOptions options(Duration perToken) {
        return SimulatedOptions.immediate(model).withTimes(perToken, perToken).withContextLength(4_096);
    }

    Worker start(SimulatedOptions options) {
        return start(new SimulatedEngine(options), Map.of(), () -> {});
    }

    /// @param more settings of the worker
    /// @param end called when the worker has to end itself
    Worker start(SimulatedEngine engine, Map<String, String> more, Runnable end) {
        var settings = new HashMap<>(more);
        settings.putIfAbsent("worker.workers-max", Integer.toString(INBOXES));
        settings.put("worker.model-name", model);
        settings.put("worker.bootstrap-servers", clients.bootstrap());
        settings.put("worker.keys-dir", keysDir.toString());
        var worker = new Worker(TestConfig.of(WorkerConfig.class, settings), engine, registry, Tracing.OFF, end);
        running.add(worker);
        worker.start();
        return worker;
    }

    /// It has been stopped, or has to be left as it is.
    void forget(Worker worker) {
        running.remove(worker);
    }

    void stop() throws Exception {
        for (var worker : running) {
            worker.stop();
        }
        gateway.close();
    }
}
