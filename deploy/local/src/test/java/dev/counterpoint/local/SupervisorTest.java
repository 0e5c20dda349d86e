package dev.counterpoint.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.access.ProvisionBus;
import dev.counterpoint.bus.seal.PrivateFile;
import dev.counterpoint.infra.ChildProcess;
import dev.counterpoint.infra.ProcessSpec;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// With shell scripts in place of services.
@Timeout(60)
class SupervisorTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private Supervisor supervisor = new Supervisor(List.of(), new ProcessRegistry(Path.of("none")), System.out);

    @AfterEach
    void stop() {
        supervisor.stop();
    }

    @Test
    void startsTierAfterTierAndStopsTheOtherWayRound() throws Exception {
        // Given
        supervise(List.of(List.of(recording("first")), List.of(recording("second"))));
        // When
        supervisor.start();
        supervisor.stop();
        // Then
        assertThat(folder.resolve("history")).hasContent("first up\nsecond up\nsecond down\nfirst down\n");
        assertThat(folder.resolve("processes")).doesNotExist();
    }

    @Test
    void startsAgainWhatDiesAndSaysSo() throws Exception {
        // Given
        supervise(List.of(List.of(part("worker", "echo $$ >> pids; echo up; exec sleep 60"))));
        supervisor.start();
        // When
        ProcessHandle.of(Long.parseLong(lines("pids").getFirst())).orElseThrow().destroyForcibly();
        // Then
        await(() -> said("worker is ready again"));
        assertThat(lines("pids")).hasSize(2);
        assertThat(output.toString(UTF_8)).contains("worker ended unexpectedly; starting it again");
    }

    @Test
    void startsAgainWhateverIsThrownWhileItIsWaitedFor() throws Exception {
        // Given a broker whose client throws an exception of Kafka's
        var state = StateFolder.in(folder.resolve("state"));
        Files.createDirectory(state.sealingKeys());
        ProvisionBus.accounts(state.sealingKeys());
        PrivateFile.write(state.brokerPassword(), "password");
        var administrator = state.administrator("no address");
        supervise(List.of(List.of(part("broker", "echo $$ >> pids; echo up; exec sleep 60", () -> {
            ProvisionBus.apply(administrator, state.sealingKeys());
        }))));
        // When
        assertThatThrownBy(() -> supervisor.start()).hasMessageContaining("broker is given up after 3 attempts");
        // Then
        assertThat(lines("pids")).hasSize(3);
    }

    @Test
    void givesUpWhatDiesAtOnceEachTimeAndShowsTheEndOfItsLog() {
        // Given
        supervise(List.of(List.of(part("worker", "echo no model here; exit 4"))));
        // Then
        assertThatThrownBy(() -> supervisor.start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("worker is given up after 3 attempts")
                .hasMessageContaining("status 4")
                .hasMessageContaining("no model here");
    }

    @Test
    void startsNothingAnyMoreOnceItStops() throws Exception {
        // Given
        supervise(List.of(List.of(part("worker", "echo $$ >> pids; echo up; exec sleep 60"))));
        supervisor.start();
        // When
        supervisor.stop();
        // Then
        assertThat(lines("pids"))
                .hasSize(1)
                .allSatisfy(
                        pid -> assertThat(ProcessHandle.of(Long.parseLong(pid))).isEmpty());
    }

    @Test
    void findsWhatAKilledLauncherLeftAndNothingElse() throws Exception {
        // Given
        var ledger = new ProcessRegistry(folder.resolve("processes"));
        try (ChildProcess left = sleeper();
                ChildProcess somebodyElses = sleeper()) {
            ledger.record("worker-1", left.handle());
            // A number that was used again: same process id, other start time.
            Files.writeString(
                    folder.resolve("processes"),
                    Files.readString(folder.resolve("processes")) + "audit " + somebodyElses.pid() + " 1000\n");
            // When
            var stopped = new ProcessRegistry(folder.resolve("processes")).stopLeftovers();
            // Then
            assertThat(stopped).containsExactly("worker-1");
            assertThat(left.isAlive()).isFalse();
            assertThat(somebodyElses.isAlive()).isTrue();
        }
    }

    private void supervise(List<List<SuitePart>> tiers) {
        supervisor = new Supervisor(
                tiers, new ProcessRegistry(folder.resolve("processes")), new PrintStream(output, true, UTF_8));
    }

    private SuitePart recording(String name) {
        return part(
                name,
                "trap 'echo " + name + " down >> history; exit' TERM; echo " + name
                        + " up | tee -a history; while :; do sleep 0.05; done");
    }

    private SuitePart part(String name, String script) {
        return part(name, script, () -> {});
    }

    private SuitePart part(String name, String script, Runnable then) {
        var spec = ProcessSpec.command(name, folder.resolve(name + ".log"), "sh", "-c", script)
                .in(folder);
        return new ProgramPart(spec, "-", new ProgramPart.Readiness.Line("up", then), SuiteWiring.DIRECT.stopMax());
    }

    private ChildProcess sleeper() {
        return ProcessSpec.command("sleeper", folder.resolve("sleeper.log"), "sleep", "60")
                .start();
    }

    private List<String> lines(String file) throws Exception {
        return Files.readAllLines(folder.resolve(file));
    }

    private boolean said(String text) {
        return output.toString(UTF_8).contains(text);
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("nothing happened in time").isLessThan(deadline);
            Thread.sleep(20);
        }
    }
}
