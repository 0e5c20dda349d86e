package dev.counterpoint.gateway.api.webhooks;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import javax.net.ServerSocketFactory;

/// A receiver of webhooks on 127.0.0.1 that does what a test wants. Thread-safe.
final class WebhookReceiver implements AutoCloseable {
    static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    /// Reads the request and closes the connection without an answer.
    static final String NOTHING = "";
    /// Reads the request and holds the connection.
    static final String SILENCE = "silence";

    private final ServerSocket server;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private volatile String answer = OK;

    /// @param line such as `POST / HTTP/1.1`
    /// @param headers by their names in small letters
    record Request(String line, Map<String, String> headers, String body) {}

    WebhookReceiver() {
        this(ServerSocketFactory.getDefault());
    }

    WebhookReceiver(ServerSocketFactory sockets) {
        try {
            server = sockets.createServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().name("receiver").start(this::accept);
    }

    /// What it answers from now on: the bytes of an answer, [#NOTHING] or [#SILENCE].
    void answers(String with) {
        answer = with;
    }

    int port() {
        return server.getLocalPort();
    }

    String url() {
        return "http://127.0.0.1:" + port() + "/hook?token=secret-of-the-url";
    }

    List<Request> requests() {
        return List.copyOf(requests);
    }

    /// Waits until it has so many.
    List<Request> requests(int count) throws InterruptedException {
        while (requests.size() < count) {
            Thread.sleep(10);
        }
        return requests();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                var connection = server.accept();
                Thread.ofVirtual().name("receiver").start(() -> serve(connection));
            } catch (IOException e) {
                return; // it is closed
            }
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            requests.add(read(new BufferedInputStream(connection.getInputStream())));
            if (answer.equals(SILENCE)) {
                closed.await();
            }
            connection.getOutputStream().write(answer.getBytes(ISO_8859_1));
            connection.getOutputStream().flush();
        } catch (IOException e) {
            // The gateway left, or the handshake failed.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Request read(InputStream in) throws IOException {
        var line = line(in);
        var headers = new HashMap<String, String>();
        for (var header = line(in); !header.isEmpty(); header = line(in)) {
            var parts = header.split(": ?", 2);
            headers.put(parts[0].toLowerCase(Locale.ROOT), parts[1]);
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        return new Request(line, headers, new String(in.readNBytes(length), ISO_8859_1));
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int read = in.read(); read != '\n'; read = in.read()) {
            if (read < 0) {
                throw new IOException("it is over");
            }
            line.append((char) read);
        }
        return line.toString().stripTrailing();
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
