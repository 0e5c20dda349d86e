package dev.counterpoint.gateway.http;

import dev.counterpoint.openai.json.WireJson;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/// Answers with a value of the wire, written as the wire wants it and not as the framework would.
public final class JsonAnswer {
    private JsonAnswer() {}

    public static Response ok(Object value) {
        return of(200, value);
    }

    public static Response of(int status, Object value) {
        return Response.status(status)
                .type(MediaType.APPLICATION_JSON_TYPE)
                .entity(WireJson.writeBytes(value))
                .build();
    }
}
