package dev.counterpoint.infra;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/// Ports of 127.0.0.1 for servers that must know theirs before they start. Between being given and being listened on a
/// port looks free, so what one process of this user was given no other one gets before the first has ended.
/// Thread-safe.
public final class FreePort {
    /// Below the range (from 32768) that systems give to outgoing connections, so that none takes the port before its
    /// server does.
    private static final int FIRST = 20_000;

    private static final int LAST = 29_999;
    private static final int ATTEMPTS_MAX = 1_000;

    /// A process holds a lock on the byte at each port's number; the system releases them with the process.
    private static final FileChannel CLAIMS =
            open(Path.of(System.getProperty("user.home"), ".cache/counterpoint/ports"));

    /// Kept from the garbage collector, which would let this process claim them again.
    private static final Map<Integer, FileLock> GIVEN = new HashMap<>();

    private FreePort() {}

    /// A random port on which no process listens now and which no other caller receives.
    public static int find() {
        return findAdjacent(1);
    }

    /// The first of `count` such ports side by side.
    public static synchronized int findAdjacent(int count) {
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            int first = ThreadLocalRandom.current().nextInt(FIRST, LAST + 2 - count);
            var ports = IntStream.range(first, first + count);
            if (ports.allMatch(port -> !GIVEN.containsKey(port) && claim(port))) {
                return first;
            }
        }
        throw new IllegalStateException("no free port between " + FIRST + " and " + LAST);
    }

    /// Claims a port that is known already. True again in the process that has it, unless somebody listens there.
    public static synchronized boolean claim(int port) {
        return isFree(port) && (GIVEN.containsKey(port) || lock(port));
    }

    private static boolean lock(int port) {
        try {
            var lock = CLAIMS.tryLock(port, 1, false);
            if (lock != null) {
                GIVEN.put(port, lock);
            }
            return lock != null;
        } catch (OverlappingFileLockException givenByAnotherClassLoader) {
            return false;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static FileChannel open(Path claims) {
        try {
            Files.createDirectories(claims.getParent());
            return FileChannel.open(claims, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    public static boolean isFree(int port) {
        try (var socket = new ServerSocket()) {
            // As servers do: a port in TIME_WAIT is free.
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(loopback(), port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }

    private static InetAddress loopback() {
        try {
            return InetAddress.getByAddress("localhost", new byte[] {127, 0, 0, 1});
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
