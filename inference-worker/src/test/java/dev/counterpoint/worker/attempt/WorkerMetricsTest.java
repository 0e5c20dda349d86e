package dev.counterpoint.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.kafka.Topic.Band;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.GenerateKeys;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.engine.simulated.SimulatedEngine;
import dev.counterpoint.engine.simulated.SimulatedOptions;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the meters say after one job.
class WorkerMetricsTest {
    private static final String CANARY = "Papageno";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private final SimulatedEngine engine = new SimulatedEngine(SimulatedOptions.immediate("any"));
    private Workbench bench;

    @BeforeEach
    void runOneJob() throws IOException {
        GenerateKeys.into(folder);
        var keys = KeyRing.load(folder, ServiceRole.WORKER);
        var log = new AttemptLog(keys, true);
        bench = new Workbench(engine, keys);
        var metrics = bench.context.metrics();
        metrics.watch(bench.gate);
        var ticket = AttemptLog.ticket(1);
        metrics.waited(Band.LOW, 20);
        metrics.taken(WorkerMetrics.Outcome.RUN, Duration.ofMillis(3));
        var hold = bench.attempt(ticket, log.publisher(1, 1, AttemptKeys.create()));
        new Attempt(hold, Workbench.asking("Who is " + CANARY + "?"), null, List.of(), bench.context).run();
    }

    @Test
    void everyMeterHasMoved() {
        assertThat(count("counterpoint.worker.tokens")).isGreaterThan(10);
        assertThat(count("counterpoint.worker.prompt.tokens")).isGreaterThan(10);
        assertThat(bench.registry.get("counterpoint.worker.first.token").timer().count())
                .isEqualTo(1);
        assertThat(bench.registry.get("counterpoint.worker.fence").timer().count())
                .isEqualTo(1);
        assertThat(bench.registry
                        .get("counterpoint.worker.queue.wait")
                        .tag("band", "low")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(bench.registry
                        .get("counterpoint.worker.jobs")
                        .tag("outcome", "run")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(gauge("counterpoint.worker.running")).isEqualTo(1);
        assertThat(gauge("counterpoint.worker.free.slots")).isEqualTo(bench.gate.availablePermits());
        assertThat(gauge("counterpoint.engine.free.tokens"))
                .isEqualTo(engine.health().freeTokens());
        assertThat(gauge("counterpoint.engine.waiting")).isZero();
        assertThat(bench.registry.getMeters())
                .extracting(meter -> meter.getId().getName())
                .contains(
                        "counterpoint.engine.steps",
                        "counterpoint.engine.computed.tokens",
                        "counterpoint.engine.reused.tokens",
                        "counterpoint.engine.preemptions");
    }

    @Test
    void timesAndTokensHaveTheNamesOfOpenTelemetry() {
        assertThat(bench.registry
                        .get("gen_ai.server.time_to_first_token")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(bench.registry
                        .get("gen_ai.server.time_per_output_token")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(bench.registry
                        .get("gen_ai.server.request.duration")
                        .tag("finish", "stop")
                        .timer()
                        .count())
                .isEqualTo(1);
        for (var kind : List.of("input", "output", "reasoning")) {
            assertThat(bench.registry
                            .get("gen_ai.client.token.usage")
                            .tag("gen_ai.token.type", kind)
                            .summary()
                            .totalAmount())
                    .as(kind)
                    .isPositive();
        }
    }

    @Test
    void everyMeterTellsEngineAndModelAndNothingOfARequest() {
        assertThat(bench.registry.getMeters()).isNotEmpty().allSatisfy(meter -> {
            var tags = meter.getId().getTags();
            assertThat(tags).contains(Tag.of("engine", "simulated"), Tag.of("model", "model"));
            assertThat(tags)
                    .extracting(Tag::getKey)
                    .isSubsetOf("engine", "model", "band", "outcome", "kind", "le", "finish", "gen_ai.token.type");
        });
        assertThat(bench.registry.getMeters())
                .extracting(Meter::getId)
                .extracting(Object::toString)
                .noneMatch(id -> id.contains(CANARY) || id.contains(AttemptLog.TENANT));
    }

    private double count(String name) {
        return bench.registry.get(name).counter().count();
    }

    private double gauge(String name) {
        return bench.registry.get(name).gauge().value();
    }
}
