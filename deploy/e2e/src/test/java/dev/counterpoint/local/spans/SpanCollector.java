package dev.counterpoint.local.spans;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.counterpoint.local.SuiteWiring;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;

/// A collector of traces that keeps what it gets: OTLP over HTTP, in Protocol Buffers.
public final class SpanCollector implements AutoCloseable {
    private static final List<String> SERVICES = List.of("gateway-1", "worker-1", "summarizer", "audit");

    private static final String PATH = "/v1/traces";

    private final HttpServer server;
    private final Map<String, byte[]> bodies = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private final List<ExportedSpan> spans = new CopyOnWriteArrayList<>();

    private SpanCollector(HttpServer server) {
        this.server = server;
    }

    public static SpanCollector start() {
        try {
            var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            var collector = new SpanCollector(server);
            server.createContext(PATH, collector::take);
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.start();
            return collector;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            var body = body(exchange);
            var path = exchange.getRequestURI().getPath();
            if (path.equals(PATH)) {
                spans.addAll(OtlpReader.spans(body));
                bodies.put("spans-" + count.incrementAndGet(), body);
            } else {
                bodies.put(path.substring(PATH.length() + 1), body);
            }
            exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
        }
    }

    private static byte[] body(HttpExchange exchange) throws IOException {
        boolean zipped = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
        try (InputStream in = zipped ? new GZIPInputStream(exchange.getRequestBody()) : exchange.getRequestBody()) {
            return in.readAllBytes();
        }
    }

    /// A suite whose services export every request's trace to here.
    ///
    /// @param further variables of every service
    public SuiteWiring wiring(Map<String, String> further) {
        var variables = new HashMap<>(further);
        variables.put("COUNTERPOINT_TRACING_ENDPOINT", endpoint());
        var all = new HashMap<String, Map<String, String>>();
        SERVICES.forEach(service -> all.put(service, variables));
        return new SuiteWiring(all);
    }

    public List<ExportedSpan> spans() {
        return List.copyOf(spans);
    }

    /// All that came, unzipped, by name.
    public Map<String, byte[]> bodies() {
        return Map.copyOf(bodies);
    }

    /// Where a test sends what is no spans, under a name of its own.
    public URI address(String name) {
        return URI.create(endpoint() + PATH + "/" + name);
    }

    private String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
