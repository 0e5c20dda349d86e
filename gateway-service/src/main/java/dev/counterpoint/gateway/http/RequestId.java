package dev.counterpoint.gateway.http;

import dev.counterpoint.servicekit.LogField;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/// Gives every request a name, which stands in the answer's `x-request-id` and in our logs.
@ApplicationScoped
public class RequestId {
    private static final String NAME = "requestId";
    /// Before everything that may answer.
    private static final int FIRST = 10_000;

    /// The name of the request at hand, as in `req_0f…`.
    public static String of(RoutingContext http) {
        String name = http.get(NAME);
        return name == null ? "none" : name;
    }

    void register(@Observes Filters filters) {
        filters.register(RequestId::stamp, FIRST);
    }

    private static void stamp(RoutingContext http) {
        var name = "req_" + UUID.randomUUID().toString().replace("-", "");
        long startedNanos = System.nanoTime();
        http.put(NAME, name);
        LogField.REQUEST_ID.put(name);
        AnswerHeaders.begin(http);
        http.addHeadersEndHandler(_ -> {
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedNanos);
            http.response()
                    .putHeader("x-request-id", name)
                    .putHeader("openai-version", "2020-10-01")
                    .putHeader("openai-processing-ms", Long.toString(millis));
            AnswerHeaders.write(http);
        });
        http.next();
    }
}
