package dev.counterpoint.local.faults;

import dev.counterpoint.infra.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// A TCP proxy on this machine that can stop passing bytes, or break every connection and take no new one.
/// Thread-safe.
final class FaultProxy implements AutoCloseable {
    private static final int BUFFER = 1 << 16;

    private final int target;
    private final ServerSocket server;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private State state = State.PASSES;

    private enum State {
        PASSES,
        STALLS,
        REFUSES
    }

    /// @param target port of this machine that connections go on to
    FaultProxy(int target) {
        this.target = target;
        try {
            server = new ServerSocket(FreePort.find(), 128, InetAddress.getLoopbackAddress());
        } catch (IOException taken) {
            throw new UncheckedIOException(taken);
        }
        Thread.ofVirtual().name("proxy-" + target).start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    /// Resets what is connected, and every newcomer.
    void cut() {
        become(State.REFUSES);
        open.forEach(FaultProxy::reset);
    }

    /// Keeps what is connected and passes nothing on.
    void stall() {
        become(State.STALLS);
    }

    /// What waited goes on; new connections are taken.
    void heal() {
        become(State.PASSES);
    }

    private synchronized void become(State next) {
        state = next;
        notifyAll();
    }

    private synchronized void awaitPassage() throws InterruptedException {
        while (state == State.STALLS) {
            wait();
        }
    }

    private synchronized boolean refuses() {
        return state == State.REFUSES;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                connect(server.accept());
            } catch (IOException closing) {
                // The server socket was closed, or the system is short of them; the caller tries again.
            }
        }
    }

    private void connect(Socket caller) {
        var onward = new Socket();
        open.add(caller);
        open.add(onward);
        try {
            if (refuses()) {
                throw new IOException("cut");
            }
            onward.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
            caller.setTcpNoDelay(true);
            onward.setTcpNoDelay(true);
            Thread.ofVirtual().start(() -> pump(caller, onward));
            Thread.ofVirtual().start(() -> pump(onward, caller));
        } catch (IOException unreachable) {
            drop(caller, onward);
        }
    }

    /// An end of either direction is the end of the connection: neither Kafka nor PostgreSQL half-closes.
    private void pump(Socket from, Socket to) {
        var buffer = new byte[BUFFER];
        try {
            var in = from.getInputStream();
            var out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                awaitPassage();
                if (refuses()) {
                    break;
                }
                out.write(buffer, 0, read);
            }
        } catch (IOException broken) {
            // By either end, or by a cut.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            drop(from, to);
        }
    }

    private void drop(Socket... sockets) {
        for (var socket : sockets) {
            open.remove(socket);
            reset(socket);
        }
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException closed) {
            // Already.
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } finally {
            cut();
        }
    }
}
