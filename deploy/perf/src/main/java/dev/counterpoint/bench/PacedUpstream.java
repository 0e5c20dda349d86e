package dev.counterpoint.bench;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/// A Chat Completions server in a process of its own that says its [Pace]: each token is the time when it is sent.
/// A question by which a worker tries a model is answered as asked, so that the model is known not to think aloud.
final class PacedUpstream {
    private static final int BACKLOG = 4096;
    private static final int HEAD_MAX = 65_536;
    private static final Map<String, String> TRIALS = Map.of("the single word BLUE", "BLUE", "17 + 25", "42");
    private static final String MODELS = """
            {"object":"list","data":[{"id":"bench","object":"model","created":1,"owned_by":"bench"}]}""";
    private static final String CHUNK = """
            data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"bench",\
            "choices":[{"index":0,"delta":{%s},"finish_reason":%s}]%s}

            """;

    private final Pace pace;

    PacedUpstream(Pace pace) {
        this.pace = pace;
    }

    /// @param arguments the port
    static void main(String[] arguments) throws IOException {
        var upstream = new PacedUpstream(Pace.fromProperties());
        int port = Integer.parseInt(arguments[0]);
        try (var server = new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress())) {
            System.out.println("listening");
            upstream.accept(server);
        }
    }

    /// Serves until the socket is closed.
    void accept(ServerSocket server) throws IOException {
        while (true) {
            var socket = server.accept();
            Thread.ofVirtual().start(() -> serve(socket));
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            var in = new BufferedInputStream(socket.getInputStream());
            var out = socket.getOutputStream();
            for (var head = head(in); !head.isEmpty(); head = head(in)) {
                answer(head, new String(body(head, in), StandardCharsets.UTF_8), out);
            }
        } catch (IOException gone) {
            // The other side left, as it may.
        }
    }

    /// The request's line and headers; empty at the end of the connection.
    private static String head(InputStream in) throws IOException {
        var head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0 || head.length() > HEAD_MAX) {
                return "";
            }
            head.append((char) next);
            while (next != '\n' && (next = in.read()) >= 0) {
                head.append((char) next);
            }
        }
        return head.toString();
    }

    private static byte[] body(String head, InputStream in) throws IOException {
        var lower = head.toLowerCase(Locale.ROOT);
        int at = lower.indexOf("content-length:");
        if (at >= 0) {
            int end = lower.indexOf("\r\n", at);
            return in.readNBytes(Integer.parseInt(lower.substring(at + 15, end).strip()));
        }
        return lower.contains("transfer-encoding: chunked") ? ChunkedBody.all(in) : new byte[0];
    }

    private void answer(String head, String body, OutputStream out) throws IOException {
        if (head.startsWith("POST") && head.contains("/chat/completions")) {
            if (body.matches("(?s).*\"stream\"\\s*:\\s*true.*")) {
                stream(body, out);
            } else {
                whole(out);
            }
        } else if (head.startsWith("GET") && head.contains("/models")) {
            json(200, MODELS, out);
        } else if (head.startsWith("GET") && head.contains("/health")) {
            json(200, "{}", out);
        } else {
            json(404, "{\"error\":{\"message\":\"not here\"}}", out);
        }
    }

    private void whole(OutputStream out) throws IOException {
        json(200, """
                {"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"bench","choices":[{"index":0,\
                "message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}],\
                "usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}""", out);
    }

    private void stream(String body, OutputStream out) throws IOException {
        out.write(ascii("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"));
        var asked = Pace.askedBy(body).orElse(pace);
        var trial = TRIALS.entrySet().stream()
                .filter(question -> body.contains(question.getKey()))
                .findFirst();
        if (trial.isPresent()) {
            chunk(content(trial.get().getValue()), "null", "", out);
        } else {
            say(asked, out);
        }
        boolean usage = body.matches("(?s).*\"include_usage\"\\s*:\\s*true.*");
        chunk("", "\"stop\"", usage ? usage(asked) : "", out);
        piece("data: [DONE]\n\n", out);
        out.write(ascii("0\r\n\r\n"));
        out.flush();
    }

    private static void say(Pace asked, OutputStream out) throws IOException {
        long begun = System.nanoTime();
        for (int i = 0; i < asked.tokens(); i++) {
            long due = begun + i * asked.gap().toNanos();
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            chunk(content(SentTime.token(System.nanoTime())), "null", "", out);
        }
    }

    private static String usage(Pace asked) {
        return ",\"usage\":{\"prompt_tokens\":32,\"completion_tokens\":%d,\"total_tokens\":%d}"
                .formatted(asked.tokens(), asked.tokens() + 32);
    }

    private static String content(String text) {
        return "\"content\":\"" + text + "\"";
    }

    private static void chunk(String delta, String finish, String more, OutputStream out) throws IOException {
        piece(CHUNK.formatted(delta, finish, more), out);
    }

    private static void piece(String text, OutputStream out) throws IOException {
        out.write(ascii(Integer.toHexString(text.length()) + "\r\n" + text + "\r\n"));
        out.flush();
    }

    private static void json(int status, String body, OutputStream out) throws IOException {
        out.write(ascii("HTTP/1.1 " + status + " OK\r\nContent-Type: application/json\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body));
        out.flush();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
