package dev.counterpoint.gateway.http;

import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/// Headers that are known before the answer is, be it a body, a stream or an error. Thread-safe.
public final class AnswerHeaders {
    private static final String NAME = "answerHeaders";

    private AnswerHeaders() {}

    /// Adds a header. Has no effect once the answer has begun.
    ///
    /// @param value of characters that a header may hold
    public static void put(RoutingContext http, String name, String value) {
        of(http).put(name, value);
    }

    static void begin(RoutingContext http) {
        http.put(NAME, new ConcurrentHashMap<String, String>());
    }

    static void write(RoutingContext http) {
        of(http).forEach(http.response()::putHeader);
    }

    private static Map<String, String> of(RoutingContext http) {
        return Objects.requireNonNull(http.<Map<String, String>>get(NAME));
    }
}
