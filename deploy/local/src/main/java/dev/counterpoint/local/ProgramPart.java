package dev.counterpoint.local;

import dev.counterpoint.infra.ChildProcess;
import dev.counterpoint.infra.ProcessSpec;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// A JVM of the suite: the broker or a service.
final class ProgramPart implements SuitePart {
    private static final int OK = 200;

    private final ProcessSpec spec;
    private final String address;
    private final Readiness readiness;
    private final Duration stopMax;
    private Optional<ChildProcess> running = Optional.empty();

    /// How it says that it can be used.
    sealed interface Readiness {
        /// By a line of its output.
        ///
        /// @param then makes it ready for others
        record Line(String text, Runnable then) implements Readiness {}

        /// By the status 200.
        record Http(URI uri) implements Readiness {}
    }

    /// @param stopMax how long it may take to end in order
    ProgramPart(ProcessSpec spec, String address, Readiness readiness, Duration stopMax) {
        this.spec = spec;
        this.address = address;
        this.readiness = readiness;
        this.stopMax = stopMax;
    }

    @Override
    public String name() {
        return spec.name();
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public Path log() {
        return spec.log();
    }

    @Override
    public synchronized ProcessHandle start() {
        var process = spec.appending().start();
        running = Optional.of(process);
        return process.handle();
    }

    @Override
    public void awaitReady(Duration limit) {
        var process = current().orElseThrow(() -> new IllegalStateException(name() + " was not started"));
        switch (readiness) {
            case Readiness.Line line -> {
                process.awaitLine(line.text(), limit);
                line.then().run();
            }
            case Readiness.Http http -> process.awaitHttp(http.uri(), OK, limit);
        }
    }

    @Override
    public List<String> misconfigurations() {
        return readiness instanceof Readiness.Http(var uri)
                ? ServiceReadiness.ask(uri).map(ServiceReadiness::lines).orElse(List.of())
                : List.of();
    }

    /// Not locked, so that it can be stopped while somebody waits for it.
    @Override
    public void stop() {
        current().filter(ChildProcess::isAlive).ifPresent(process -> process.stop(stopMax));
    }

    private synchronized Optional<ChildProcess> current() {
        return running;
    }
}
