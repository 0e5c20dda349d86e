package dev.counterpoint.servicekit;

import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Map;

/// What a caller is told when it does not get what it asked for. Each service has its own shape of the body.
public interface HttpProblem {
    /// 400 to 599.
    int status();

    /// For people; never holds content or a key.
    String message();

    /// What goes beside the body, such as `Retry-After`.
    Map<String, String> headers();

    /// The body.
    byte[] json();

    /// The answer of a resource.
    default Response toResponse() {
        var answer =
                Response.status(status()).type(MediaType.APPLICATION_JSON_TYPE).entity(json());
        headers().forEach(answer::header);
        return answer.build();
    }

    /// Answers a request that reaches no resource. An answer that has begun is cut off instead.
    default void write(RoutingContext http) {
        var response = http.response();
        if (response.ended() || response.headWritten()) {
            http.request().connection().close();
            return;
        }
        AnswerDate.put(response); // a request that has no host fails before the first filter
        response.setStatusCode(status()).putHeader("Content-Type", "application/json");
        headers().forEach(response::putHeader);
        response.end(Buffer.buffer(json()));
    }
}
