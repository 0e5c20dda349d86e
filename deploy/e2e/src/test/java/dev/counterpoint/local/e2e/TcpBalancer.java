package dev.counterpoint.local.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// Passes bytes on, as a Service of Kubernetes does: each new connection goes to the next gateway that is ready, and
/// stays there. Knows nothing of HTTP.
final class TcpBalancer implements AutoCloseable {
    private final ServerSocket front = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<RunningSuite.Service> gateways = new CopyOnWriteArrayList<>();
    private final AtomicInteger turn = new AtomicInteger();

    TcpBalancer() throws IOException {
        Thread.ofVirtual().start(this::accept);
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + front.getLocalPort());
    }

    void add(RunningSuite.Service gateway) {
        gateways.add(gateway);
    }

    void remove(RunningSuite.Service gateway) {
        gateways.remove(gateway);
    }

    private void accept() {
        while (!front.isClosed()) {
            try {
                var caller = front.accept();
                Thread.ofVirtual().start(() -> connect(caller));
            } catch (IOException _) {
                return;
            }
        }
    }

    private void connect(Socket caller) {
        try (caller;
                var gateway = new Socket(InetAddress.getLoopbackAddress(), next().port())) {
            var back = Thread.ofVirtual().start(() -> pass(gateway, caller));
            pass(caller, gateway);
            back.join();
        } catch (IOException _) {
            // The caller sees a closed connection.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private RunningSuite.Service next() {
        while (true) {
            var gateway = gateways.get(Math.floorMod(turn.getAndIncrement(), gateways.size()));
            if (ready(gateway)) {
                return gateway;
            }
        }
    }

    private static boolean ready(RunningSuite.Service gateway) {
        try {
            var health = URI.create("http://127.0.0.1:%d/q/health/ready".formatted(gateway.port()));
            return ((HttpURLConnection) health.toURL().openConnection()).getResponseCode() == 200;
        } catch (IOException _) {
            return false;
        }
    }

    private static void pass(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException _) {
            close(from);
            close(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() throws IOException {
        front.close();
    }
}
