package dev.counterpoint.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/// Limits of this machine that the suite may run into; each warning begins with its code.
///
/// @param memoryBytes free memory
/// @param diskBytes free space where the suite keeps its state
/// @param openFilesMax files and connections that a process may have open
record StartCheck(long memoryBytes, long diskBytes, long openFilesMax) {
    private static final long GIB = 1L << 30;
    /// The heaps that `up` allows, and the memory of broker and database.
    private static final long MEMORY = 2 * GIB;
    /// Ninety minutes of a busy suite's frames, and the databases' logs of changes.
    private static final long DISK = 2 * GIB;
    /// A gateway takes 8192 connections.
    private static final long OPEN_FILES = 10_000;

    private static final Pattern AVAILABLE = Pattern.compile("MemAvailable:\\s+(\\d+) kB");
    private static final Pattern OPEN = Pattern.compile("Max open files\\s+\\S+\\s+(\\d+)");

    static StartCheck of(Path folder) {
        try {
            return new StartCheck(
                    number(Path.of("/proc/meminfo"), AVAILABLE, MEMORY >> 10) << 10,
                    Files.getFileStore(folder).getUsableSpace(),
                    number(Path.of("/proc/self/limits"), OPEN, OPEN_FILES));
        } catch (IOException unknown) {
            return new StartCheck(MEMORY, DISK, OPEN_FILES);
        }
    }

    /// @return `otherwise` where the system has no such file, as on a Mac
    private static long number(Path file, Pattern pattern, long otherwise) throws IOException {
        if (!Files.exists(file)) {
            return otherwise;
        }
        var found = pattern.matcher(Files.readString(file));
        return found.find() ? Long.parseLong(found.group(1)) : otherwise;
    }

    List<String> warnings() {
        var found = new ArrayList<String>();
        if (memoryBytes < MEMORY) {
            found.add("memory-short: %d MiB of memory are free, and the suite needs %d; end other programs"
                    .formatted(memoryBytes >> 20, MEMORY >> 20));
        }
        if (diskBytes < DISK) {
            found.add("disk-short: %d MiB of the disk are free, and the suite needs %d; set COUNTERPOINT_STATE"
                    .formatted(diskBytes >> 20, DISK >> 20));
        }
        if (openFilesMax < OPEN_FILES) {
            found.add("open-files-few: a process may open %d files, and a gateway needs %d; raise ulimit -Hn"
                    .formatted(openFilesMax, OPEN_FILES));
        }
        return List.copyOf(found);
    }

    /// What keeps the gateways from their ports.
    ///
    /// @param owner the name of the program that listens there
    static List<String> ports(IntStream ports, IntPredicate isFree, IntFunction<String> owner) {
        return ports.filter(port -> !isFree.test(port))
                .mapToObj(port -> "port-taken: port " + port + " on 127.0.0.1 is taken by " + owner.apply(port)
                        + "; choose others with --port N")
                .toList();
    }

    /// What keeps a suite that has run before from its data.
    static List<String> secrets(StateFolder state) {
        var missing = Files.exists(state.postgres()) ? LocalSecrets.missing(state) : List.<Path>of();
        return missing.stream()
                .map(file -> "secret-missing: " + file + " is not there; put it back, or ./deploy/local/down --wipe"
                        + " deletes the data that needs it")
                .toList();
    }
}
