package dev.counterpoint.servicekit.tracing;

/// All that a span may tell. OpenTelemetry's names where it has one.
public enum SpanAttribute {
    ERROR_TYPE("error.type"),
    HTTP_METHOD("http.request.method"),
    HTTP_ROUTE("http.route"),
    HTTP_STATUS("http.response.status_code"),
    MESSAGING_SYSTEM("messaging.system"),
    MESSAGING_OPERATION("messaging.operation.type"),
    MESSAGING_DESTINATION("messaging.destination.name"),
    OPERATION("gen_ai.operation.name"),
    PROVIDER("gen_ai.provider.name"),
    REQUEST_MODEL("gen_ai.request.model"),
    RESPONSE_ID("gen_ai.response.id"),
    /// OpenTelemetry has it as a list, of one here.
    FINISH_REASONS("gen_ai.response.finish_reasons"),
    INPUT_TOKENS("gen_ai.usage.input_tokens"),
    OUTPUT_TOKENS("gen_ai.usage.output_tokens"),
    CACHED_TOKENS("gen_ai.usage.cache_read.input_tokens"),
    REASONING_TOKENS("counterpoint.usage.reasoning_tokens"),
    REQUEST_ID("counterpoint.request.id"),
    TENANT("counterpoint.tenant"),
    ATTEMPT("counterpoint.attempt"),
    OUTCOME("counterpoint.outcome");

    private final String key;

    SpanAttribute(String key) {
        this.key = key;
    }

    public String key() {
        return key;
    }
}
