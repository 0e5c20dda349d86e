package dev.counterpoint.servicekit;

import org.slf4j.MDC;

/// What a JSON log record tells beside its message, in `mdc`: ids of the request at hand and nothing else.
public enum LogField {
    REQUEST_ID("requestId"),
    RESPONSE_ID("responseId"),
    TRACE_ID("traceId");

    private final String key;

    LogField(String key) {
        this.key = key;
    }

    /// From now on, for the HTTP request that is handled here, or else for the calling thread.
    public void put(String id) {
        MDC.put(key, id);
    }
}
