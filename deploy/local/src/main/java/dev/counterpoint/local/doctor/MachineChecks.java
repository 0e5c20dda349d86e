package dev.counterpoint.local.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;

/// Whether a machine can run the suite.
///
/// @param java feature version of the running Java
/// @param memoryBytes that processes could have now
/// @param diskBytes that the folder of the suite could take
/// @param openFilesMax that one process may have
public record MachineChecks(int java, long memoryBytes, long diskBytes, long openFilesMax) {
    private static final int JAVA = 25;
    private static final long GIB = 1L << 30;
    /// The heaps that `up` allows, and what broker and database take beside.
    private static final long MEMORY = 2 * GIB;
    /// Ninety minutes of a busy suite's frames, and the databases' logs of changes.
    private static final long DISK = 2 * GIB;
    /// A gateway takes 8192 connections.
    private static final long OPEN_FILES = 10_000;

    private static final Pattern AVAILABLE = Pattern.compile("MemAvailable:\\s+(\\d+) kB");
    private static final Pattern OPEN = Pattern.compile("Max open files\\s+\\S+\\s+(\\d+)");

    /// This machine.
    ///
    /// @param folder of the suite, or where it will be
    public static MachineChecks here(Path folder) throws IOException {
        var there = folder.toAbsolutePath();
        for (var above = there.getParent(); !Files.exists(there) && above != null; above = there.getParent()) {
            there = above;
        }
        return new MachineChecks(
                Runtime.version().feature(),
                number(Path.of("/proc/meminfo"), AVAILABLE, MEMORY >> 10) << 10,
                Files.getFileStore(there).getUsableSpace(),
                number(Path.of("/proc/self/limits"), OPEN, OPEN_FILES));
    }

    /// What a file of the system says; where there is none, as on a Mac, all is well.
    private static long number(Path file, Pattern pattern, long otherwise) throws IOException {
        if (!Files.exists(file)) {
            return otherwise;
        }
        var found = pattern.matcher(Files.readString(file));
        return found.find() ? Long.parseLong(found.group(1)) : otherwise;
    }

    /// @param runs whether the suite has its memory already
    public List<Misconfiguration> look(boolean runs) {
        var found = new ArrayList<Misconfiguration>();
        if (java < JAVA) {
            found.add(new Misconfiguration(
                    "java-old", "this is Java " + java, "install a JDK " + JAVA + " and set JAVA_HOME to it"));
        }
        if (!runs && memoryBytes < MEMORY) {
            found.add(new Misconfiguration(
                    "memory-short",
                    "%d MiB of memory are free, and the suite needs %d".formatted(memoryBytes >> 20, MEMORY >> 20),
                    "end other programs, or lower -Xmx of the services"));
        }
        if (diskBytes < DISK) {
            found.add(new Misconfiguration(
                    "disk-short",
                    "%d MiB of the disk are free, and the suite needs %d".formatted(diskBytes >> 20, DISK >> 20),
                    "make room, or name a folder elsewhere by COUNTERPOINT_STATE"));
        }
        if (openFilesMax < OPEN_FILES) {
            found.add(new Misconfiguration(
                    "open-files-few",
                    "a process may have %d files and connections open, and a gateway needs %d"
                            .formatted(openFilesMax, OPEN_FILES),
                    "raise the hard limit (ulimit -Hn, LimitNOFILE= of systemd) or lower"
                            + " quarkus.http.limits.max-connections"));
        }
        return List.copyOf(found);
    }

    /// Ports that the gateways are to listen on.
    public static List<Misconfiguration> ports(List<Integer> ports, IntPredicate isFree) {
        return ports.stream()
                .filter(port -> !isFree.test(port))
                .map(port -> new Misconfiguration(
                        "port-taken",
                        "port " + port + " on 127.0.0.1 is another program's",
                        "choose others with --port N, or end that program"))
                .toList();
    }
}
