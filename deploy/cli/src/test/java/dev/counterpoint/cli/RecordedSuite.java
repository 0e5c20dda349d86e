package dev.counterpoint.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;

/// A server that answers as a suite did.
final class RecordedSuite implements AutoCloseable {
    static final String KEY = "sk-the-right-key";

    private final HttpServer server;
    private final Map<String, Recorded> answers = new ConcurrentHashMap<>();
    private final Queue<String> requests = new ConcurrentLinkedQueue<>();

    private record Recorded(int status, String body) {}

    RecordedSuite() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        on("GET /v1/models", "{\"data\":[{\"id\":\"gpt-oss-20b\",\"context_length\":131072}]}");
    }

    static String recording(String name) {
        try (var in = RecordedSuite.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    RecordedSuite on(String request, String body) {
        return on(request, 200, body);
    }

    RecordedSuite on(String request, int status, String body) {
        answers.put(request, new Recorded(status, body));
        return this;
    }

    /// What was asked, bodies included.
    List<String> requests() {
        return List.copyOf(requests);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            var request = exchange.getRequestMethod() + " " + exchange.getRequestURI();
            requests.add(request + " " + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            var found = answers.get(request);
            if (!("Bearer " + KEY).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                found = new Recorded(401, "{\"error\":{\"message\":\"Incorrect API key provided.\",\"code\":\"x\"}}");
            } else if (found == null) {
                found = new Recorded(404, "{\"error\":{\"message\":\"Nothing is there.\"}}");
            }
            var bytes = found.body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(found.status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    String address() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    CommandRun run(String... arguments) {
        return asked(address(), KEY, "", arguments);
    }

    CommandRun typing(String input, String... arguments) {
        return asked(address(), KEY, input, arguments);
    }

    static CommandRun asked(String address, String key, String input, String... arguments) {
        var out = new StringWriter();
        var errors = new StringWriter();
        var environment = Map.of(
                "OPENAI_BASE_URL", address + "/v1",
                "OPENAI_API_KEY", key,
                "COUNTERPOINT_ADMIN_TOKEN", key,
                "COUNTERPOINT_AUDIT_URL", address,
                "COUNTERPOINT_COMPLIANCE_TOKEN", key);
        var root = new Counterpoint(environment, new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
        int code = Counterpoint.run(root, new PrintWriter(out, true), new PrintWriter(errors, true), arguments);
        return new CommandRun(code, out.toString().strip(), errors.toString());
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
