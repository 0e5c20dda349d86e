package dev.counterpoint.servicekit;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpServerResponse;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// Gives every answer the header `Date`, as RFC 9110 (6.6.1) demands of a server that has a clock.
@ApplicationScoped
class AnswerDate {
    private static final int FIRST = 20_000;
    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    void register(@Observes Filters filters) {
        filters.register(
                http -> {
                    http.addHeadersEndHandler(_ -> put(http.response()));
                    http.next();
                },
                FIRST);
    }

    static void put(HttpServerResponse response) {
        response.putHeader("Date", FORMAT.format(Instant.now()));
    }
}
