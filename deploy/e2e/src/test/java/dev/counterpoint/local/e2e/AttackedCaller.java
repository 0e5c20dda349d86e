package dev.counterpoint.local.e2e;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.openai.sse.SseEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// A caller who asks the same again and again while somebody attacks the bus. One that asks at a time.
final class AttackedCaller implements Runnable {
    private static final String QUESTION = "Count from 1 to 40.";

    private final ApiClient client;
    private final boolean chat;
    private final String body;
    private final List<Heard> heard = new ArrayList<>();
    private final List<String> ids = new ArrayList<>();
    private volatile String current = "";
    private volatile boolean over;

    /// All that an answer says, its id aside.
    ///
    /// @param reasoning raw or summed up, as the caller gets it
    /// @param sealed whether reasoning came in its sealed form too
    record Heard(List<String> endings, String answer, String reasoning, boolean sealed) {}

    private AttackedCaller(ApiClient client, boolean chat, String body) {
        this.client = client;
        this.chat = chat;
        this.body = body;
    }

    /// @param more members of the request
    static AttackedCaller ofResponses(ApiClient client, String more) {
        var body = "{\"model\":\"%s\",\"input\":\"%s\",\"temperature\":0,\"stream\":true%s}"
                .formatted(RunningSuite.MODEL, QUESTION, more);
        return new AttackedCaller(client, false, body);
    }

    /// @param more members of the request
    static AttackedCaller ofChat(ApiClient client, String more) {
        var body = """
                {"model":"%s","messages":[{"role":"user","content":"%s"}],"temperature":0,"stream":true%s}""".formatted(RunningSuite.MODEL, QUESTION, more);
        return new AttackedCaller(client, true, body);
    }

    @Override
    public void run() {
        while (!over) {
            var answer = ask();
            synchronized (this) {
                heard.add(answer);
            }
        }
    }

    /// Asks once.
    Heard ask() {
        Consumer<SseEvent> listener = this::begins;
        var events = client.stream(chat ? "/v1/chat/completions" : "/v1/responses", body, listener);
        current = "";
        return chat ? ofChat(events) : ofResponses(events);
    }

    private void begins(SseEvent event) {
        if (current.isEmpty()) {
            var first = ApiClient.tree(event.data());
            var id = first.path("response").path("id").asText(first.path("id").asText());
            synchronized (this) {
                ids.add(id);
            }
            current = id;
        }
    }

    private static Heard ofResponses(List<SseEvent> events) {
        var output = Streams.bodies(events).getLast().path("response").path("output");
        return new Heard(
                Streams.terminals(events),
                Streams.text(events, "response.output_text.delta"),
                Streams.text(events, "response.reasoning_text.delta")
                        + Streams.text(events, "response.reasoning_summary_text.delta"),
                output.findValues("encrypted_content").stream()
                        .anyMatch(value -> !value.asText().isEmpty()));
    }

    private static Heard ofChat(List<SseEvent> events) {
        var endings = new ArrayList<String>();
        Streams.bodies(events)
                .forEach(chunk -> chunk.findValues("finish_reason").stream()
                        .filter(reason -> !reason.isNull())
                        .forEach(reason -> endings.add(reason.asText())));
        var reasoning = Streams.chatText(events, "reasoning") + Streams.chatText(events, "reasoning_summary");
        return new Heard(endings, Streams.chatText(events, "content"), reasoning, false);
    }

    /// The response that comes at this moment.
    Optional<ResponseId> current() {
        var id = current;
        return ResponseId.parse(bare(id));
    }

    private static String bare(String id) {
        return id.substring(Math.max(id.indexOf('_'), id.indexOf('-')) + 1);
    }

    /// As the audit service names them.
    synchronized List<String> bareIds() {
        return ids.stream().map(AttackedCaller::bare).toList();
    }

    /// The answers that came to their ends, all but what [#ask] gave.
    synchronized List<Heard> heard() {
        return List.copyOf(heard);
    }

    /// Asks no more after the answer that comes now.
    void leave() {
        over = true;
    }
}
