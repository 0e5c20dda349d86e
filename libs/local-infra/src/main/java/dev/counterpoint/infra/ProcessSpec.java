package dev.counterpoint.infra;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What to start: a command with its log file, its environment (added to this JVM's own) and its working directory.
///
/// @param name what messages call it
/// @param log receives stdout and stderr
/// @param appends whether the log keeps what an earlier run wrote; else it is emptied at the start
public record ProcessSpec(
        String name, List<String> command, Path log, boolean appends, Map<String, String> environment, Path directory) {
    public ProcessSpec {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    public static ProcessSpec command(String name, Path log, String... command) {
        return new ProcessSpec(
                name, List.of(command), log, false, Map.of(), Path.of("").toAbsolutePath());
    }

    /// A JVM like this one; `arguments` are everything that follows `java`.
    public static ProcessSpec java(String name, Path log, String... arguments) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(arguments));
        return new ProcessSpec(name, command, log, false, Map.of(), Path.of("").toAbsolutePath());
    }

    /// A broker that lives for seconds, as tests need it: compiled fast rather than well, it is ready in half the time.
    public static ProcessSpec broker(Path log, String... arguments) {
        var jvm = new ArrayList<>(StartupCache.ofBroker().reading());
        jvm.add("-XX:TieredStopAtLevel=1");
        return broker(log, jvm, List.of(arguments));
    }

    /// The broker of `libs/local-infra`, with the JVM flags that its build wrote, and more.
    public static ProcessSpec broker(Path log, List<String> jvm, List<String> arguments) {
        Path flags = RepositoryRoot.find().resolve("libs/local-infra/target/broker.args");
        if (!flags.toFile().exists()) {
            throw new IllegalStateException(
                    "the broker is not built: run ./mvnw -pl libs/local-infra -am package -DskipTests (no " + flags
                            + ")");
        }
        var all = new ArrayList<>(jvm);
        all.add("@" + flags);
        all.addAll(arguments);
        return java("broker", log, all.toArray(String[]::new));
    }

    /// The same with more variables; later ones win.
    public ProcessSpec with(Map<String, String> more) {
        var merged = new HashMap<>(environment);
        merged.putAll(more);
        return new ProcessSpec(name, command, log, appends, merged, directory);
    }

    /// The same in another working directory.
    public ProcessSpec in(Path folder) {
        return new ProcessSpec(name, command, log, appends, environment, folder);
    }

    /// The same, writing after what is in its log already.
    public ProcessSpec appending() {
        return new ProcessSpec(name, command, log, true, environment, directory);
    }

    /// Starts it and returns at once.
    ///
    /// @throws java.io.UncheckedIOException when there is no such program
    public ChildProcess start() {
        return ChildProcess.start(this);
    }
}
