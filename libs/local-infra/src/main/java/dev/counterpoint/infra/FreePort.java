package dev.counterpoint.infra;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/// Ports of 127.0.0.1 for servers that must know theirs before they start. None is given twice in a process: between
/// being given and being listened on it looks free. Thread-safe.
public final class FreePort {
    /// Below the range (from 32768) that systems give to outgoing connections, so that none takes the port before its
    /// server does.
    private static final int FIRST = 20_000;

    private static final int LAST = 29_999;
    private static final int ATTEMPTS_MAX = 1_000;

    private static final Set<Integer> GIVEN = new HashSet<>();

    private FreePort() {}

    /// A port that nobody listens on now; drawn at random, so that builds side by side rarely meet.
    public static int find() {
        return findAdjacent(1);
    }

    /// The first of `count` such ports side by side.
    public static synchronized int findAdjacent(int count) {
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            int first = ThreadLocalRandom.current().nextInt(FIRST, LAST + 2 - count);
            var ports = IntStream.range(first, first + count).boxed().toList();
            if (ports.stream().noneMatch(GIVEN::contains) && ports.stream().allMatch(FreePort::isFree)) {
                GIVEN.addAll(ports);
                return first;
            }
        }
        throw new IllegalStateException("no free port between " + FIRST + " and " + LAST);
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
