package dev.counterpoint.openai.responses;

/// Why a response failed; `code` is one of OpenAI's, as in `server_error` or `rate_limit_exceeded`.
public record ResponseError(String code, String message) {
    public static final String SERVER_ERROR = "server_error";
}
