package dev.counterpoint.engine.chat.probe;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.regex.Pattern;

/// A server's reply to a question after itself.
///
/// @param ok whether the server answered with 200
/// @param certain whether it would answer so again: it came in time, and the server was not overloaded
/// @param body a missing node where it is no JSON
/// @param program as the server names itself in the head; empty where it does not
/// @param proxyVersion of LiteLLM, from the head; empty for all others
record ServerReply(boolean ok, boolean certain, JsonNode body, String program, String proxyVersion) {
    static final ServerReply NONE = new ServerReply(false, false, MissingNode.getInstance(), "", "");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int OK = 200;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_ERROR = 500;
    /// What stands in logs and on screens is bounded and plain.
    private static final int WORD_CHARACTERS_MAX = 100;

    private static final Pattern UNWANTED = Pattern.compile("[^\\p{L}\\p{N} ._:/@+()\\[\\]-]");

    static ServerReply of(HttpResponse<byte[]> response) {
        var head = response.headers();
        return new ServerReply(
                response.statusCode() == OK,
                response.statusCode() < SERVER_ERROR && response.statusCode() != TOO_MANY_REQUESTS,
                json(response.body()),
                head.firstValue("server").orElse(""),
                plain(head.firstValue("x-litellm-version").orElse("")));
    }

    private static JsonNode json(byte[] body) {
        try {
            var read = JSON.readTree(body);
            return read == null ? MissingNode.getInstance() : read;
        } catch (IOException e) {
            return MissingNode.getInstance();
        }
    }

    /// A member of the body as a word for people; empty where there is none.
    String word(String pointer) {
        return ok ? word(body.at(pointer)) : "";
    }

    static String word(JsonNode node) {
        return node.isTextual() ? plain(node.textValue()) : "";
    }

    private static String plain(String text) {
        var plain = UNWANTED.matcher(text).replaceAll("").strip();
        return plain.length() > WORD_CHARACTERS_MAX ? plain.substring(0, WORD_CHARACTERS_MAX) : plain;
    }
}
