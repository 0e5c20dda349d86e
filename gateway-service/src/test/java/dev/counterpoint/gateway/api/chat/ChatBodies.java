package dev.counterpoint.gateway.api.chat;

/// Checks bodies of chat requests for tests of other packages.
public final class ChatBodies {
    private ChatBodies() {}

    /// @throws dev.counterpoint.openai.json.WireException that names what is wrong
    public static void check(String body) {
        ChatRequestTest.job(body, false);
    }
}
