package dev.counterpoint.engine.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.net.http.HttpResponse;
import java.util.Set;

/// A server's whole answer to a question.
///
/// @param status as HTTP has it; 0 when there was no answer
/// @param body empty when there was none
public record UpstreamReply(int status, String body) {
    static final UpstreamReply NONE = new UpstreamReply(0, "");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int OK = 200;
    private static final Set<Integer> OF_MODELS = Set.of(400, 404, 422);

    static UpstreamReply of(HttpResponse<String> response) {
        return new UpstreamReply(response.statusCode(), response.body());
    }

    public boolean ok() {
        return status == OK;
    }

    /// The body of a reply that is well; missing where that is no JSON, and for every other reply.
    public JsonNode json() {
        if (!ok()) {
            return MissingNode.getInstance();
        }
        try {
            return JSON.readTree(body);
        } catch (JsonProcessingException e) {
            return MissingNode.getInstance();
        }
    }

    /// True if the server says that it has no such model.
    public boolean refusesModel() {
        return OF_MODELS.contains(status) && RefusalText.tellsOfModel(body);
    }

    /// It could hold content.
    @Override
    public String toString() {
        return "UpstreamReply[status=" + status + "]";
    }
}
