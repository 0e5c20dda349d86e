package dev.counterpoint.audit.api;

import jakarta.ws.rs.core.HttpHeaders;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;

/// Answers that nobody between us and the caller keeps.
final class UncachedResponse {
    private UncachedResponse() {}

    static <T> RestResponse<T> ok(T body) {
        return ResponseBuilder.ok(body)
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .build();
    }
}
