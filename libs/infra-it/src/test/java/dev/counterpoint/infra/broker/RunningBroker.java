package dev.counterpoint.infra.broker;

import dev.counterpoint.infra.RepositoryRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;

/// A broker's JVM as a test sees it: started from `target/broker.args` as any other.
record RunningBroker(Process process, String address) implements AutoCloseable {
    private static final String PASSWORD = "admin-of-the-tests";

    static RunningBroker start(Path data, String... more) throws IOException {
        var process = launch(data, more);
        String line = firstLine(process);
        if (!line.startsWith("broker ready ")) {
            process.destroyForcibly();
            throw new IOException("the broker said: " + line);
        }
        return new RunningBroker(process, line.substring("broker ready ".length()));
    }

    static Process launch(Path data, String... more) throws IOException {
        var password = Files.writeString(Files.createTempFile("admin", ".password"), PASSWORD);
        password.toFile().deleteOnExit();
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + RepositoryRoot.find().resolve("libs/local-infra/target/broker.args"),
                "--data=" + data,
                "--admin-password-file=" + password,
                "--port=0",
                "--exit-with-parent"));
        command.addAll(List.of(more));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static String firstLine(Process process) throws IOException {
        String line = process.inputReader().readLine();
        return line == null ? "nothing, and exited" : line;
    }

    Admin admin() {
        return Admin.create(login(Map.of()));
    }

    /// Settings of a client that is the administrator, and `more`.
    Map<String, Object> login(Map<String, Object> more) {
        var settings = new HashMap<>(more);
        settings.put("bootstrap.servers", address);
        settings.putAll(BrokerAccess.administrator(PASSWORD));
        return settings;
    }

    /// The exit status after SIGTERM.
    int terminate() throws InterruptedException {
        // Process.destroy would close its output as well.
        process.toHandle().destroy();
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the broker did not stop within 20 s of SIGTERM");
        }
        return process.exitValue();
    }

    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
