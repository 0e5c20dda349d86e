package dev.counterpoint.gateway.http;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.tracing.TraceParent;
import dev.counterpoint.servicekit.LogField;
import dev.counterpoint.servicekit.RequestEnd;
import dev.counterpoint.servicekit.tracing.RequestSpan;
import dev.counterpoint.servicekit.tracing.SpanAttribute;
import dev.counterpoint.servicekit.tracing.Tracing;
import io.quarkus.arc.Arc;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The span of the request at hand: from its head to the last byte of its answer. While traces are off there is no
/// filter, and every request's span is none.
@Singleton
public class CurrentSpan {
    private static final String NAME = "span";
    /// After {@link RequestId}, before everything that may answer.
    private static final int SECOND = 9_900;

    private static final int SERVER_ERROR = 500;
    private static final String API = "/v1/";
    private static final Set<String> METHODS = Set.of("GET", "POST", "DELETE", "HEAD", "OPTIONS");
    /// Words of our paths. All else in one is an id, or anything at all.
    private static final Set<String> WORDS = Set.of(
            "v1",
            "responses",
            "chat",
            "completions",
            "conversations",
            "items",
            "models",
            "messages",
            "cancel",
            "compact",
            "input_items",
            "input_tokens",
            "reasoning_summary");
    private static final int SEGMENTS_MAX = 16;

    private final Tracing tracing;
    private final CurrentVertxRequest requests;

    public CurrentSpan(Tracing tracing, CurrentVertxRequest requests) {
        this.tracing = tracing;
        this.requests = requests;
    }

    void register(@Observes Filters filters) {
        if (tracing.on()) {
            filters.register(this::begin, SECOND);
        }
    }

    private void begin(RoutingContext http) {
        var request = http.request();
        if (request.path() != null && request.path().startsWith(API)) {
            var route = route(request.path());
            var method =
                    METHODS.contains(request.method().name()) ? request.method().name() : "_OTHER";
            var caller = TraceParent.parse(request.getHeader(TraceParent.HEADER));
            var span = tracing.request(method + " " + route, caller)
                    .with(SpanAttribute.HTTP_METHOD, method)
                    .with(SpanAttribute.HTTP_ROUTE, route)
                    .with(SpanAttribute.REQUEST_ID, RequestId.of(http));
            if (span.parent() instanceof TraceParent here) {
                http.put(NAME, span);
                LogField.TRACE_ID.put(here.traceId());
                RequestEnd.listen(http, ended -> end(http, span, ended.succeeded()));
            }
        }
        http.next();
    }

    /// @param told whether the client got the whole answer
    private static void end(RoutingContext http, RequestSpan span, boolean told) {
        if (!told) {
            span.failed("client_gone").end();
            return;
        }
        int status = http.response().getStatusCode();
        span.with(SpanAttribute.HTTP_STATUS, status);
        if (status >= SERVER_ERROR) {
            span.failed(Integer.toString(status));
        }
        span.end();
    }

    static String route(String path) {
        return "/"
                + Arrays.stream(path.substring(1).split("/"))
                        .map(word -> WORDS.contains(word) ? word : "{id}")
                        .limit(SEGMENTS_MAX)
                        .collect(Collectors.joining("/"));
    }

    /// The span of the request that asks for this response.
    public RequestSpan of(ResponseId response, String model, String tenant) {
        if (!tracing.on() || !Arc.container().requestContext().isActive()) {
            return RequestSpan.NONE;
        }
        var http = requests.getCurrent();
        @Nullable RequestSpan span = http == null ? null : http.get(NAME);
        if (span == null) {
            return RequestSpan.NONE;
        }
        return span.with(SpanAttribute.RESPONSE_ID, response.toString())
                .with(SpanAttribute.REQUEST_MODEL, model)
                .with(SpanAttribute.TENANT, tenant);
    }
}
