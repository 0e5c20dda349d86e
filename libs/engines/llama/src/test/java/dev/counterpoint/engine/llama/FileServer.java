package dev.counterpoint.engine.llama;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Serves files as mirrors do: with ranges or without; some connections break.
final class FileServer implements AutoCloseable {
    private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-");

    private final HttpServer http;
    private final Map<String, byte[]> files = new HashMap<>();
    private final Map<String, String> types = new HashMap<>();
    /// A path, and the first byte that was asked for.
    final List<String> requests = new ArrayList<>();

    boolean ranges = true;
    /// Bytes after which the next connections break.
    final List<Integer> breaks = new ArrayList<>();

    FileServer() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/", this::answer);
        http.start();
    }

    FileServer with(String path, String type, byte[] content) {
        files.put(path, content);
        types.put(path, type);
        return this;
    }

    URI at(String path) {
        return URI.create("http://localhost:" + http.getAddress().getPort() + path);
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        var path = exchange.getRequestURI().getPath();
        var range = RANGE.matcher(String.valueOf(exchange.getRequestHeaders().getFirst("Range")));
        int from = range.matches() ? Integer.parseInt(range.group(1)) : 0;
        requests.add(path + " " + from);
        var content = files.get(path);
        try (exchange) {
            if (content == null) {
                exchange.sendResponseHeaders(404, -1);
            } else if (content.length == 0) {
                exchange.getResponseHeaders().set("Location", types.get(path));
                exchange.sendResponseHeaders(302, -1);
            } else if (ranges && from >= content.length) {
                exchange.sendResponseHeaders(416, -1);
            } else {
                send(exchange, path, content, ranges ? from : 0);
            }
        }
    }

    private void send(HttpExchange exchange, String path, byte[] content, int from) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", types.get(path));
        if (from > 0) {
            exchange.getResponseHeaders()
                    .set("Content-Range", "bytes " + from + "-" + (content.length - 1) + "/" + content.length);
        }
        var rest = Arrays.copyOfRange(content, from, content.length);
        exchange.sendResponseHeaders(from > 0 ? 206 : 200, rest.length);
        int bytes = breaks.isEmpty() ? rest.length : breaks.removeFirst();
        exchange.getResponseBody().write(rest, 0, bytes);
        exchange.getResponseBody().flush();
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
