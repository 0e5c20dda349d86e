package dev.counterpoint.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Starts the launcher in a process of its own and shows what it says until everything is ready.
final class DetachedLauncher {
    /// A system property that tells the launcher that its output is a log.
    static final String TO_LOG = "counterpoint.to-log";

    private static final int POLL_MILLIS = 100;

    private final StateFolder state;
    private final PrintStream out;

    DetachedLauncher(StateFolder state, PrintStream out) {
        this.state = state;
        this.out = out;
    }

    /// @param arguments of this run, `--detach` included
    /// @return the exit status: 0 when the suite is ready, else the launcher's own
    int start(List<String> arguments) throws IOException, InterruptedException {
        state.rotate("up");
        Path log = state.log("up");
        var process = new ProcessBuilder(command(arguments))
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        var interrupted = new Thread(process::destroy, "stop");
        Runtime.getRuntime().addShutdownHook(interrupted);
        try (var reader = new RandomAccessFile(log.toFile(), "r")) {
            while (process.isAlive() && !Files.exists(state.ready())) {
                copy(reader);
                process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
            }
            copy(reader);
        }
        if (!Files.exists(state.ready())) {
            return Math.max(1, process.waitFor());
        }
        Runtime.getRuntime().removeShutdownHook(interrupted);
        return 0;
    }

    static List<String> command(List<String> arguments) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("@" + System.getProperty("counterpoint.launch"));
        command.add("-D" + TO_LOG + "=true");
        command.add(Up.class.getName());
        command.addAll(arguments);
        command.remove("--detach");
        return command;
    }

    private void copy(RandomAccessFile reader) throws IOException {
        byte[] bytes = new byte[Math.toIntExact(reader.length() - reader.getFilePointer())];
        reader.readFully(bytes);
        out.print(new String(bytes, UTF_8));
        out.flush();
    }
}
