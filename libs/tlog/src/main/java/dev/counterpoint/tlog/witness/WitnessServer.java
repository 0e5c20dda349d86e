package dev.counterpoint.tlog.witness;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.counterpoint.tlog.SignedNote;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/// Serves a witness over HTTP: `POST /add-checkpoint` and `GET /<origin hash>/checkpoint`. TLS and limits on the
/// number of requests are the business of a proxy in front of it.
///
/// Source: <https://c2sp.org/tlog-witness#http-interface>
public final class WitnessServer implements AutoCloseable {
    private static final int REQUEST_BYTES_MAX = SignedNote.BYTES_MAX + 8 * 1024;
    private static final int TOO_LARGE = 413;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int BACKLOG = 64;
    private static final Pattern CHECKPOINT = Pattern.compile("/([0-9a-f]{64})/checkpoint");

    private final Witness witness;
    private final HttpServer http;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private WitnessServer(Witness witness, HttpServer http) {
        this.witness = witness;
        this.http = http;
    }

    /// Starts a server.
    ///
    /// @param witness witness to serve
    /// @param address address to listen on; port 0 takes a free one
    /// @return the running server
    /// @throws IOException when the address cannot be used
    public static WitnessServer start(Witness witness, InetSocketAddress address) throws IOException {
        var server = new WitnessServer(witness, HttpServer.create(address, BACKLOG));
        server.http.setExecutor(server.threads);
        server.http.createContext("/", server::serve);
        server.http.start();
        return server;
    }

    /// The port that the server listens on.
    ///
    /// @return the port
    public int port() {
        return http.getAddress().getPort();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            var answer = answer(exchange);
            exchange.getResponseHeaders().set("Content-Type", answer.contentType());
            exchange.sendResponseHeaders(answer.status(), answer.body().length == 0 ? -1 : answer.body().length);
            exchange.getResponseBody().write(answer.body());
        }
    }

    private WitnessAnswer answer(HttpExchange exchange) throws IOException {
        var path = exchange.getRequestURI().getPath();
        var checkpoint = CHECKPOINT.matcher(path);
        if (path.equals("/add-checkpoint")) {
            return exchange.getRequestMethod().equals("POST") ? add(exchange) : wrongMethod();
        }
        if (!checkpoint.matches()) {
            return WitnessAnswer.refused(WitnessAnswer.NOT_FOUND, "unknown path");
        }
        if (!exchange.getRequestMethod().equals("GET")) {
            return wrongMethod();
        }
        return witness.latest(checkpoint.group(1))
                .map(bytes -> new WitnessAnswer(200, "text/plain; charset=utf-8", bytes))
                .orElseGet(() -> WitnessAnswer.refused(WitnessAnswer.NOT_FOUND, "never cosigned"));
    }

    private WitnessAnswer add(HttpExchange exchange) throws IOException {
        var body = exchange.getRequestBody().readNBytes(REQUEST_BYTES_MAX + 1);
        return body.length > REQUEST_BYTES_MAX
                ? WitnessAnswer.refused(TOO_LARGE, "request too large")
                : witness.add(body);
    }

    private static WitnessAnswer wrongMethod() {
        return WitnessAnswer.refused(METHOD_NOT_ALLOWED, "method not allowed");
    }

    @Override
    public void close() {
        http.stop(0);
        threads.close();
    }
}
