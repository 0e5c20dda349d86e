package dev.counterpoint.gateway.problem;

import dev.counterpoint.openai.error.ErrorBody;
import dev.counterpoint.openai.error.ErrorDetail;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.servicekit.HeadFault;
import dev.counterpoint.servicekit.HttpProblem;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a client is told when it does not get what it asked for: status, headers and OpenAI's four members.
///
/// @param status 400 to 599
/// @param type the kind, such as `invalid_request_error`
/// @param code the exact rule, such as `model_not_found`, or null where OpenAI has none
/// @param param the request's member at fault, such as `input[0].content`, or null
/// @param message for people; never holds a prompt, reasoning or a key
/// @param headers what goes beside the body, such as `Retry-After`
public record Problem(
        int status,
        String type,
        @Nullable String code,
        @Nullable String param,
        String message,
        Map<String, String> headers)
        implements HttpProblem {
    private static final String INVALID_REQUEST = "invalid_request_error";
    private static final int ECHOED_CHARACTERS_MAX = 128;
    /// The OpenAI clients take longer waits for a mistake and come back at once.
    private static final Duration RETRY_BELIEVED = Duration.ofSeconds(60);

    private static final String SHOULD_RETRY = "x-should-retry";

    public Problem {
        if (status < 400 || status > 599) {
            throw new IllegalArgumentException("not an error: " + status);
        }
        boolean noUse = status < 500 && !headers.containsKey(SHOULD_RETRY);
        headers = noUse ? and(headers, SHOULD_RETRY, "false") : Map.copyOf(headers);
    }

    /// The request breaks a rule that has no code of its own.
    public static Problem invalidRequest(@Nullable String param, String message) {
        return invalidRequest(param, null, message);
    }

    /// @param code the rule's name, such as `unsupported_parameter`
    public static Problem invalidRequest(@Nullable String param, @Nullable String code, String message) {
        return new Problem(400, INVALID_REQUEST, code, param, message, Map.of());
    }

    /// The request's head is not one that can be served.
    public static Problem head(HeadFault fault) {
        return switch (fault) {
            case HOST, TRANSFER_ENCODING -> invalidRequest(null, fault.message());
            case CONTENT_ENCODING ->
                new Problem(415, INVALID_REQUEST, "unsupported_content_encoding", null, fault.message(), Map.of());
        };
    }

    public static Problem missingKey() {
        return unauthorized(null, "You didn't provide an API key. Send it as 'Authorization: Bearer YOUR_KEY'.");
    }

    /// The key is unknown, revoked or expired; which of them is nobody's business.
    public static Problem invalidKey() {
        return unauthorized("invalid_api_key", "Incorrect API key provided.");
    }

    public static Problem missingScope(String scope) {
        var message = "You have insufficient permissions for this operation. Missing scopes: " + scope + ".";
        return new Problem(403, INVALID_REQUEST, "missing_scope", null, message, Map.of());
    }

    public static Problem modelNotFound(String model) {
        var message = "The model '" + shortened(model) + "' does not exist or you do not have access to it.";
        return new Problem(404, INVALID_REQUEST, "model_not_found", "model", message, Map.of());
    }

    /// @param what such as `Response with id 'resp_1'`
    public static Problem notFound(String what) {
        return notFound(null, what);
    }

    public static Problem notFound(@Nullable String param, String what) {
        return new Problem(404, INVALID_REQUEST, "not_found", param, shortened(what) + " not found.", Map.of());
    }

    public static Problem unknownUrl(String method, String path) {
        var message = "Invalid URL (" + method + " " + shortened(path) + ")";
        return new Problem(404, INVALID_REQUEST, "unknown_url", null, message, Map.of());
    }

    /// @param allowed the methods that the path has; empty when they are not known
    public static Problem methodNotAllowed(String method, List<String> allowed) {
        var headers = allowed.isEmpty() ? Map.<String, String>of() : Map.of("Allow", String.join(", ", allowed));
        var message = "Not allowed to " + shortened(method) + " on this URL.";
        return new Problem(405, INVALID_REQUEST, "method_not_supported", null, message, headers);
    }

    /// @param why a WebSocket takes no more requests
    public static Problem connectionLimit(String why) {
        return invalidRequest(
                null, "websocket_connection_limit_reached", why + " Open another connection to continue.");
    }

    public static Problem notAcceptable() {
        var message = "The 'Accept' header asks for a format that this URL does not have.";
        return new Problem(406, INVALID_REQUEST, null, null, message, Map.of());
    }

    public static Problem conflict(@Nullable String param, String message) {
        return new Problem(409, INVALID_REQUEST, null, param, message, Map.of());
    }

    /// @param code the rule's name
    public static Problem conflict(@Nullable String param, String code, String message) {
        return new Problem(409, INVALID_REQUEST, code, param, message, Map.of());
    }

    /// A conflict that passes.
    ///
    /// @param wait until trying again makes sense
    public static Problem conflictForNow(String param, String code, String message, Duration wait) {
        return new Problem(409, INVALID_REQUEST, code, param, message, again(wait));
    }

    /// A second turn of a conversation while the first is under way. OpenAI answers 400 too.
    ///
    /// @param wait until trying again makes sense
    public static Problem conversationLocked(Duration wait) {
        var message = "Another response is being made in this conversation; try again when it has ended.";
        return new Problem(400, INVALID_REQUEST, "conversation_locked", "conversation", message, again(wait));
    }

    public static Problem tooLarge(long bytesMax) {
        var message = "The request body is too large: at most " + bytesMax + " bytes are taken.";
        return new Problem(413, INVALID_REQUEST, "request_too_large", null, message, Map.of());
    }

    public static Problem unsupportedMediaType() {
        var message = "Unsupported content type: send the body as 'application/json'.";
        return new Problem(415, INVALID_REQUEST, "unsupported_content_type", null, message, Map.of());
    }

    /// A limit is reached that opens again by itself.
    ///
    /// @param wait until then
    public static Problem rateLimited(String message, Duration wait) {
        return rateLimited("rate_limit_exceeded", message, wait);
    }

    /// @param code the limit's name, such as `rate_limit_exceeded`
    public static Problem rateLimited(String code, String message, Duration wait) {
        return new Problem(429, "rate_limit_error", code, null, message, again(wait));
    }

    /// What was bought is used up, so asking again soon is of no use.
    ///
    /// @param wait until there is more
    public static Problem insufficientQuota(String message, Duration wait) {
        var headers = and(again(wait), SHOULD_RETRY, "false");
        return new Problem(429, "insufficient_quota", "insufficient_quota", null, message, headers);
    }

    /// An internal error, without details, because these may contain secrets.
    public static Problem serverError() {
        var message = "The server had an error while processing your request. If it happens again, report the value of"
                + " the header 'x-request-id'.";
        return new Problem(500, "server_error", "server_error", null, message, Map.of());
    }

    /// The model broke the form that the request demands, and the engine did not hold it.
    public static Problem notEnforced(String message) {
        return new Problem(500, "server_error", "strict_output_not_enforced", null, message, Map.of());
    }

    /// The request lost two workers in a row before its first token.
    public static Problem crashedWorker(String message) {
        return new Problem(500, "server_error", "job_crashed_worker", null, message, Map.of());
    }

    /// The model's server refuses to serve this deployment.
    public static Problem misconfigured(String message) {
        return new Problem(502, "server_error", "upstream_misconfigured", null, message, Map.of());
    }

    /// A part of the suite is away for a moment.
    public static Problem unavailable(String message) {
        return unavailable(message, 2);
    }

    /// A part of the suite is away or full.
    ///
    /// @param retryAfterSeconds when trying again makes sense
    public static Problem unavailable(String message, long retryAfterSeconds) {
        return unavailable("service_unavailable", message, Duration.ofSeconds(retryAfterSeconds));
    }

    /// @param code OpenAI's name of why, such as `server_is_overloaded`
    /// @param wait until trying again makes sense
    public static Problem unavailable(String code, String message, Duration wait) {
        return new Problem(503, "service_unavailable_error", code, null, message, again(wait));
    }

    public static Problem timedOut(String message) {
        return new Problem(504, "server_error", "timeout", null, message, Map.of());
    }

    @Override
    public byte[] json() {
        return WireJson.writeBytes(body());
    }

    /// What goes on the wire.
    public ErrorBody body() {
        return new ErrorBody(new ErrorDetail(message, type, param, code));
    }

    /// Seconds for whoever knows nothing finer; never 0, which would be at once.
    private static Map<String, String> again(Duration wait) {
        long millis = Math.max(1, wait.toMillis());
        return Map.of(
                "Retry-After",
                Long.toString(Math.ceilDiv(millis, 1_000)),
                "retry-after-ms",
                Long.toString(millis),
                SHOULD_RETRY,
                Boolean.toString(wait.compareTo(RETRY_BELIEVED) <= 0));
    }

    private static Map<String, String> and(Map<String, String> headers, String name, String value) {
        var more = new HashMap<>(headers);
        more.put(name, value);
        return Map.copyOf(more);
    }

    private static Problem unauthorized(@Nullable String code, String message) {
        return new Problem(401, INVALID_REQUEST, code, null, message, Map.of("WWW-Authenticate", "Bearer"));
    }

    private static String shortened(String text) {
        return text.length() <= ECHOED_CHARACTERS_MAX ? text : text.substring(0, ECHOED_CHARACTERS_MAX) + "…";
    }
}
