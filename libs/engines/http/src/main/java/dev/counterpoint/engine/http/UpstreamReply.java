package dev.counterpoint.engine.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// A server's whole answer to a question.
///
/// @param status as HTTP has it; 0 when there was no answer
/// @param body empty when there was none
public record UpstreamReply(int status, String body, HttpHeaders headers) {
    public static final UpstreamReply NONE = new UpstreamReply(0, "", HttpHeaders.of(Map.of(), (_, _) -> true));
    /// A server's list of models, its settings, its counters.
    private static final int BYTES_MAX = 8 << 20;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int OK = 200;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_ERROR = 500;
    private static final Set<Integer> OF_MODELS = Set.of(400, 404, 422);
    /// vLLM and Ollama (`model … does not exist`, `model … not found`), OpenAI and Groq (`model_not_found`),
    /// OpenRouter (`not a valid model ID`), LiteLLM (`Invalid model name`).
    private static final Pattern MODEL = Pattern.compile(
            "model_not_found|\\bmodel\\b.{0,200}?(?:not found|(?:does )?not exist)"
                    + "|(?:invalid|unknown|no such|not a valid) model",
            Pattern.CASE_INSENSITIVE);

    /// Sends a question. The reply is [#NONE] where no answer comes in time.
    public static CompletableFuture<UpstreamReply> ask(
            HttpClient client, HttpRequest.Builder question, Duration atMost) {
        var request = question.timeout(atMost).build();
        return client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofString(), BYTES_MAX))
                .handle((response, _) -> response == null
                        ? NONE
                        : new UpstreamReply(response.statusCode(), response.body(), response.headers()))
                .completeOnTimeout(NONE, atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    public boolean ok() {
        return status == OK;
    }

    /// True if the server would answer so again: it came in time, and the server was not overloaded.
    public boolean certain() {
        return status > 0 && status < SERVER_ERROR && status != TOO_MANY_REQUESTS;
    }

    /// The first header of this name; empty where there is none.
    public String head(String name) {
        return headers.firstValue(name).orElse("");
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
        return OF_MODELS.contains(status) && MODEL.matcher(body).find();
    }

    /// It could hold content.
    @Override
    public String toString() {
        return "UpstreamReply[status=" + status + "]";
    }
}
