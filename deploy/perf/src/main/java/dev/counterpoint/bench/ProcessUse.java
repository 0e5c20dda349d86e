package dev.counterpoint.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// What a process, with or without those it started, has used until now, from /proc.
///
/// @param cpuMicros user and system time; that of children which have ended counts as their parent's
/// @param rssBytes resident memory; what processes share with each other counts once
record ProcessUse(long cpuMicros, long rssBytes) {
    private static final ProcessUse NOTHING = new ProcessUse(0, 0);
    /// USER_HZ is 100 on every Linux that we run on.
    private static final long MICROS_PER_TICK = 10_000;

    private static final int KIB = 1024;

    /// One process alone.
    static ProcessUse of(ProcessHandle process) {
        return ofAll(List.of(process), false);
    }

    /// A process and all that it started.
    static ProcessUse ofTree(ProcessHandle root) {
        return ofAll(Stream.concat(Stream.of(root), root.descendants()).toList(), true);
    }

    private static ProcessUse ofAll(List<ProcessHandle> processes, boolean ended) {
        long cpu = 0;
        long own = 0;
        long shared = 0;
        for (var process : processes) {
            var folder = Path.of("/proc", Long.toString(process.pid()));
            try {
                cpu += cpuTicks(Files.readString(folder.resolve("stat")), ended);
                var status = Files.readAllLines(folder.resolve("status"));
                long anonymous = number(status, "RssAnon:");
                own += anonymous;
                shared = Math.max(shared, number(status, "VmRSS:") - anonymous);
            } catch (IOException gone) {
                // Its time is its parent's now.
            }
        }
        return new ProcessUse(cpu * MICROS_PER_TICK, (own + shared) * KIB);
    }

    /// @param ended whether children count that have ended
    static long cpuTicks(String stat, boolean ended) {
        // The name in parentheses may hold blanks and parentheses; utime is the 14th field.
        var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        long ticks = Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
        return ended ? ticks + Long.parseLong(fields[13]) + Long.parseLong(fields[14]) : ticks;
    }

    /// A line of a `status` file, without its unit.
    static long number(List<String> status, String name) {
        return status.stream()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElse(0);
    }

    /// The CPU time since then, and the memory now.
    ProcessUse since(ProcessUse before) {
        return new ProcessUse(cpuMicros - before.cpuMicros, rssBytes);
    }

    ProcessUse plus(ProcessUse other) {
        return new ProcessUse(cpuMicros + other.cpuMicros, rssBytes + other.rssBytes);
    }

    static ProcessUse sum(Iterable<ProcessUse> all) {
        var sum = NOTHING;
        for (var each : all) {
            sum = sum.plus(each);
        }
        return sum;
    }
}
