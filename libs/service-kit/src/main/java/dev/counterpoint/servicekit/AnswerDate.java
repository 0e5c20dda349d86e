package dev.counterpoint.servicekit;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// Gives every answer the header `Date`, as RFC 9110 (6.6.1) demands of a server that has a clock.
@ApplicationScoped
class AnswerDate {
    /// Before every filter that may answer.
    private static final int FIRST = 20_000;

    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH).withZone(ZoneOffset.UTC);

    void register(@Observes Filters filters) {
        filters.register(AnswerDate::stamp, FIRST);
    }

    private static void stamp(RoutingContext http) {
        http.addHeadersEndHandler(_ -> put(http.response()));
        http.next();
    }

    static void put(HttpServerResponse response) {
        response.putHeader(HttpHeaders.DATE, FORMAT.format(Instant.now()));
    }
}
