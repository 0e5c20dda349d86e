package dev.counterpoint.cli;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;

/// Measures `audit verify log`: `VerifySpeed <new folder> <leaves>` writes a log and verifies it three times.
final class VerifySpeed {
    private VerifySpeed() {}

    public static void main(String[] arguments) {
        var leaves = Integer.parseInt(arguments[1]);
        new SampleLog("speed", leaves).write(Path.of(arguments[0]));
        var threads = ManagementFactory.getThreadMXBean();
        for (int i = 0; i < 3; i++) {
            var start = System.nanoTime();
            var cpu = threads.getCurrentThreadCpuTime();
            var run = CommandRun.verify("log", arguments[0]);
            var seconds = (System.nanoTime() - start) / 1e9;
            System.out.printf(
                    "%s in %.2f s: %.0f leaves/s, %.0f in a second of the processor%n",
                    run.out(), seconds, leaves / seconds, leaves * 1e9 / (threads.getCurrentThreadCpuTime() - cpu));
        }
    }
}
