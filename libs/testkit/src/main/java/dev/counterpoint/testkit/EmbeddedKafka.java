package dev.counterpoint.testkit;

import dev.counterpoint.infra.ChildProcess;
import dev.counterpoint.infra.FreePort;
import dev.counterpoint.infra.ProcessSpec;
import dev.counterpoint.infra.ScratchFolder;
import java.nio.file.Path;
import java.time.Duration;

/// The broker of `libs/local-infra` as a child process, with its data in a scratch folder.
final class EmbeddedKafka implements TestKafka {
    /// A quiet machine needs 1.5 s, and 3 s more after a kill.
    private static final Duration START_MAX = Duration.ofSeconds(90);

    private static final Duration STOP_MAX = Duration.ofSeconds(20);

    private final Path folder;
    private final int port;
    private final int controllerPort;
    private ChildProcess broker;

    private EmbeddedKafka(Path folder, int port) {
        this.folder = folder;
        this.port = port;
        this.controllerPort = FreePort.find();
        this.broker = launch();
    }

    static EmbeddedKafka startNew() {
        return new EmbeddedKafka(ScratchFolder.folder("kafka"), FreePort.find());
    }

    private ChildProcess launch() {
        var started = ProcessSpec.broker(
                        folder.resolve("broker.log"),
                        "--data=" + folder.resolve("data"),
                        "--port=" + port,
                        "--controller-port=" + controllerPort,
                        TestBroker.passwordArgument(),
                        "--exit-with-parent")
                .start();
        started.awaitLine("broker ready", START_MAX);
        return started;
    }

    @Override
    public String bootstrapServers() {
        return "127.0.0.1:" + port;
    }

    @Override
    public synchronized void stop() {
        broker.stop(STOP_MAX);
    }

    @Override
    public synchronized void kill() {
        broker.kill();
    }

    @Override
    public synchronized void restart() {
        if (broker.isAlive()) {
            throw new IllegalStateException("the broker runs: stop or kill it first");
        }
        broker = launch();
    }

    @Override
    public synchronized void pause() {
        broker.pause();
    }

    @Override
    public synchronized void resume() {
        broker.resume();
    }

    @Override
    public synchronized void close() {
        broker.close();
    }
}
