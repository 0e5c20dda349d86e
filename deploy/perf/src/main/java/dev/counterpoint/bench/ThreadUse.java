package dev.counterpoint.bench;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/// What the threads of a process have used until now, from /proc. What a thread did that has ended is not in it.
///
/// @param cpuNanos by the thread's name, its digits replaced
/// @param switches of all threads between one another
record ThreadUse(Map<String, Long> cpuNanos, long switches) {
    static ThreadUse of(ProcessHandle process) {
        var nanos = new LinkedHashMap<String, Long>();
        long switches = 0;
        var tasks = Path.of("/proc", Long.toString(process.pid()), "task");
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (var thread : threads) {
                try {
                    var name = Files.readString(thread.resolve("comm")).strip().replaceAll("[0-9]+", "#");
                    var spent = Files.readString(thread.resolve("schedstat")).split(" ")[0];
                    nanos.merge(name, Long.parseLong(spent), Long::sum);
                    var status = Files.readAllLines(thread.resolve("status"));
                    switches += ProcessUse.number(status, "voluntary_ctxt_switches:")
                            + ProcessUse.number(status, "nonvoluntary_ctxt_switches:");
                } catch (IOException ended) {
                    // Nothing is known of it any more.
                }
            }
        } catch (IOException ended) {
            return new ThreadUse(Map.of(), 0);
        }
        return new ThreadUse(nanos, switches);
    }

    ThreadUse since(ThreadUse before) {
        var since = new LinkedHashMap<String, Long>();
        cpuNanos.forEach((name, nanos) -> since.put(name, nanos - before.cpuNanos.getOrDefault(name, 0L)));
        return new ThreadUse(since, switches - before.switches);
    }
}
