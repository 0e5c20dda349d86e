package dev.counterpoint.local.canary;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// The memory of a running JVM, garbage included.
final class HeapDump {
    private static final long DUMP_MAX_SECONDS = 60;

    private HeapDump() {}

    /// Writes the memory of a process to a file.
    static Path take(ProcessHandle process, String name, Path scratch) throws IOException, InterruptedException {
        var dump = scratch.resolve(name + ".hprof");
        var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        var taking = new ProcessBuilder(jcmd, String.valueOf(process.pid()), "GC.heap_dump", "-all", dump.toString())
                .redirectErrorStream(true)
                .redirectOutput(scratch.resolve(name + ".jcmd").toFile())
                .start();
        assertThat(taking.waitFor(DUMP_MAX_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(dump).as(Files.readString(scratch.resolve(name + ".jcmd"))).isNotEmptyFile();
        return dump;
    }
}
