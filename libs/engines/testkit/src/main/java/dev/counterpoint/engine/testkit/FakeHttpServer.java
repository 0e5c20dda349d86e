package dev.counterpoint.engine.testkit;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/// HTTP/1.1 down to the socket, so that a test can break it anywhere and sees when a client goes away.
public final class FakeHttpServer implements AutoCloseable {
    /// Answers one request.
    public interface Handler {
        void handle(Exchange exchange) throws IOException, InterruptedException;
    }

    private final ServerSocket listener;
    private final Handler handler;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connections = new AtomicInteger();

    public FakeHttpServer(Handler handler) {
        this(0, handler);
    }

    /// @param port 0 for any
    public FakeHttpServer(int port, Handler handler) {
        this.handler = handler;
        try {
            listener = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + port());
    }

    public int port() {
        return listener.getLocalPort();
    }

    /// Connections that clients have made so far.
    public int connections() {
        return connections.get();
    }

    private void accept() {
        try {
            while (true) {
                var socket = listener.accept();
                open.add(socket);
                if (listener.isClosed()) {
                    socket.close(); // accepted while close() was at work, which may not have seen it
                    return;
                }
                connections.incrementAndGet();
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            var in = new BufferedInputStream(socket.getInputStream());
            for (var line = line(in); !line.isEmpty(); line = line(in)) {
                var exchange = exchange(line, in, socket.getOutputStream());
                var watcher = Thread.ofVirtual().start(() -> exchange.watch(in));
                handler.handle(exchange);
                exchange.end();
                watcher.join();
            }
        } catch (IOException e) {
            // The client went away, or the test cut the connection.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(socket);
        }
    }

    private static Exchange exchange(String requestLine, InputStream in, OutputStream out) throws IOException {
        var parts = requestLine.split(" ", 3);
        Map<String, String> headers = new TreeMap<>();
        for (var line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        byte[] body = in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
        return new Exchange(parts[0], parts[1], headers, body, out);
    }

    /// @return empty at the end too
    private static String line(InputStream in) throws IOException {
        var line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n' && next >= 0; next = in.read()) {
            line.write(next);
        }
        return line.toString(StandardCharsets.US_ASCII).strip();
    }

    @Override
    public void close() {
        try {
            listener.close();
            for (var socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// One request and its answer.
    public static final class Exchange {
        private final String method;
        private final String path;
        private final Map<String, String> headers;
        private final byte[] body;
        private final OutputStream out;
        private final CountDownLatch gone = new CountDownLatch(1);
        private boolean begun;
        private boolean ended;

        private Exchange(String method, String path, Map<String, String> headers, byte[] body, OutputStream out) {
            this.method = method;
            this.path = path;
            this.headers = headers;
            this.body = body;
            this.out = out;
        }

        /// As in `POST /generate`.
        public String target() {
            return method + " " + path;
        }

        public String header(String name) {
            return Objects.toString(headers.get(name), "");
        }

        public byte[] body() {
            return body;
        }

        private void watch(InputStream in) {
            try {
                in.mark(1);
                if (in.read() < 0) {
                    gone.countDown();
                }
                in.reset();
            } catch (IOException e) {
                gone.countDown();
            }
        }

        /// Waits until the client has closed the connection.
        public void awaitGone() throws InterruptedException {
            gone.await();
        }

        public void answer(int status, String content) throws IOException {
            answer(status, content, "");
        }

        /// @param head more lines of it, each with its end
        public void answer(int status, String content, String head) throws IOException {
            byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
            write("HTTP/1.1 " + status + " Fake\r\nContent-Type: application/json\r\n" + head + "Content-Length: "
                    + bytes.length + "\r\n\r\n" + content);
            ended = true;
        }

        public void beginEvents() throws IOException {
            write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
            begun = true;
        }

        /// Of a stream, as it stands, in a chunk of its own.
        public void send(String text) throws IOException {
            int length = text.getBytes(StandardCharsets.UTF_8).length;
            write(Integer.toHexString(length) + "\r\n" + text + "\r\n");
        }

        public void data(Object json) throws IOException {
            send("data: " + json + "\n\n");
        }

        /// Breaks the connection off.
        public void cut() throws IOException {
            out.close();
        }

        private void end() throws IOException {
            if (begun && !ended) {
                write("0\r\n\r\n");
            }
            ended = true;
        }

        private void write(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
    }
}
