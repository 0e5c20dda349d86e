package dev.counterpoint.bench;

import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// Whom to ask, and how.
///
/// @param uri of its API, with the version
/// @param headers with its credentials; not for logs
record LoadTarget(String name, URI uri, Api api, Map<String, String> headers) {
    private static final String QUESTION =
            "Say what time it is %s, in as many words as you like, until somebody tells you to stop. %d";

    /// The API that is asked.
    enum Api {
        CHAT("/chat/completions", """
                {"model":"%s","messages":[{"role":"user","content":"%s"}],"stream":true}"""),
        RESPONSES("/responses", """
                {"model":"%s","input":"%s","stream":true,"store":true}""");

        private final String path;
        private final String body;

        Api(String path, String body) {
            this.path = path;
            this.body = body;
        }
    }

    LoadTarget {
        headers = Map.copyOf(headers);
    }

    InetSocketAddress address() {
        return new InetSocketAddress(uri.getHost(), uri.getPort());
    }

    /// A streaming request; questions differ by their number.
    byte[] request(String model, Pace pace, long number) {
        return request(api.body.formatted(model, QUESTION.formatted(pace.words(), number)));
    }

    /// A request with this body, in ASCII.
    byte[] request(String body) {
        var head = new StringBuilder("POST " + uri.getPath() + api.path + " HTTP/1.1\r\nHost: " + uri.getAuthority()
                + "\r\nContent-Type: application/json\r\nAccept: text/event-stream\r\nContent-Length: "
                + body.length() + "\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        return head.append("\r\n").append(body).toString().getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public String toString() {
        return name;
    }
}
