package dev.counterpoint.engine.chat;

import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.engine.chat.ChatOptions.Knowing;
import dev.counterpoint.engine.chat.family.KnownModel;
import dev.counterpoint.engine.chat.probe.OperatorSettings;
import dev.counterpoint.engine.http.UpstreamAccess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;

/// A server with a model, and engines before it.
abstract class WithModelServer {
    static final Knowing QUICK = new Knowing(OperatorSettings.NONE, Duration.ofSeconds(5), Duration.ofMillis(200));
    static final String NOT_THERE = "mystery:7b";

    final FakeModelServer server = new FakeModelServer();
    final List<AutoCloseable> open = new ArrayList<>(List.of(server));

    @AfterEach
    void close() throws Exception {
        for (var each : open.reversed()) {
            each.close();
        }
    }

    final ChatEngine engine(String model, Knowing knowing, List<ReasoningStrategy> told, FakeModelServer... servers) {
        var times = new UpstreamAccess.Timeouts(
                Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofMillis(100));
        var addresses = Stream.of(servers).map(FakeModelServer::address).toList();
        var access = new UpstreamAccess(addresses, "secret", times, ChatEngine.HEALTH_PATH);
        var engine = new ChatEngine(new ChatOptions("m", model, access, 4, 4096, told, knowing, null));
        open.add(engine);
        return engine;
    }

    final KnownModel known(String model, Knowing knowing) {
        return await(engine(model, knowing, List.of(), server));
    }

    static Knowing quick(OperatorSettings settings) {
        return new Knowing(settings, QUICK.questionTimeout(), QUICK.askInterval());
    }

    static KnownModel await(ChatEngine engine) {
        await(() -> engine.health().status() == EngineHealth.Status.READY);
        return engine.known();
    }

    final KnownModel known(String model) {
        return known(model, QUICK);
    }

    static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }
}
