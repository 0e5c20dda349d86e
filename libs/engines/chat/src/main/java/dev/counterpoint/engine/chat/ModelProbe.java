package dev.counterpoint.engine.chat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.engine.chat.ChatEvent.Finish;
import dev.counterpoint.engine.chat.family.ThinkingSwitch;
import dev.counterpoint.engine.chat.family.ThinkingSwitch.Setting;
import dev.counterpoint.engine.chat.probe.Trial;
import dev.counterpoint.engine.chat.probe.TrialAnswer;
import dev.counterpoint.engine.chat.probe.TrialQuestion;
import dev.counterpoint.engine.http.PromptPrefix;
import dev.counterpoint.engine.http.ServerFailure;
import dev.counterpoint.engine.http.UpstreamAccess;
import dev.counterpoint.engine.http.UpstreamClient;
import dev.counterpoint.engine.http.UpstreamServer;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Tries the model of one server with a few short requests: two as they come, or two with thinking and two
/// without where there is a switch, and one with a schema; two more where the switch does nothing.
///
/// They are streamed as jobs are, because servers tell reasoning apart in streams by other code than
/// elsewhere.
final class ModelProbe {
    private static final String PATH = "/v1/chat/completions";
    private static final int ANSWER_TOKENS_MAX = 400;
    private static final int CHARACTERS_PER_TOKEN_MAX = 64;
    /// A name that no prompt tells of.
    private static final String MEMBER = "k7";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final String model;
    private final Duration answerTimeout;
    private final UpstreamAccess access;
    private boolean answered = true;

    /// @param answerTimeout for each answer
    ModelProbe(ChatOptions options, URI server, Duration answerTimeout) {
        this.model = options.upstreamModel();
        this.answerTimeout = answerTimeout;
        var all = options.access();
        var times = all.timeouts();
        access = new UpstreamAccess(
                List.of(server),
                all.apiKey(),
                new UpstreamAccess.Timeouts(times.connect(), answerTimeout, times.idle(), Duration.ofDays(1)),
                all.healthPath());
    }

    /// @param control how the model is told to think or not to
    /// @param proven whether these answers show that it works; then no other requests are wanted
    Trial run(ThinkingSwitch control, Predicate<Trial> proven) throws InterruptedException {
        if (control.off().isEmpty()) {
            return new Trial(List.of(), List.of(), pair(Setting.NONE), takesSchema());
        }
        var on = pair(control.on());
        var off = pair(control.off());
        if (control.on().isEmpty() || proven.test(new Trial(on, off, List.of(), false))) {
            return new Trial(on, off, on, takesSchema());
        }
        return new Trial(on, off, pair(Setting.NONE), takesSchema());
    }

    /// True if no answer was late or missing, so that to try again would show nothing else.
    boolean answered() {
        return answered;
    }

    private List<TrialAnswer> pair(Setting setting) throws InterruptedException {
        var answers = new ArrayList<TrialAnswer>();
        for (var question : TrialQuestion.PAIR) {
            var answer = ask(question, body(question, setting));
            if (answer != null) {
                answers.add(answer);
            }
        }
        return answers;
    }

    private boolean takesSchema() throws InterruptedException {
        var body = body(TrialQuestion.WORD, Setting.NONE);
        var format =
                body.putObject("response_format").put("type", "json_schema").putObject("json_schema");
        var schema = format.put("name", "trial").put("strict", true).putObject("schema");
        schema.put("type", "object").put("additionalProperties", false);
        schema.putObject("properties").putObject(MEMBER).put("type", "string");
        schema.putArray("required").add(MEMBER);
        var answer = ask(TrialQuestion.WORD, body);
        return answer != null && fits(answer.content());
    }

    /// Reasoning may stand before it.
    private static boolean fits(String content) {
        int from = content.lastIndexOf('{');
        try {
            var value = from < 0 ? null : JSON.readTree(content.substring(from));
            return value != null && value.size() == 1 && value.path(MEMBER).isTextual();
        } catch (JsonProcessingException e) {
            return false;
        }
    }

    private ObjectNode body(TrialQuestion question, Setting setting) {
        var body = JsonNodeFactory.instance
                .objectNode()
                .put("model", model)
                .put("stream", true)
                .put("temperature", 0)
                .put("max_tokens", ANSWER_TOKENS_MAX);
        body.setAll(setting.members().deepCopy());
        var messages = body.putArray("messages");
        if (!setting.line().isEmpty()) {
            messages.addObject().put("role", "system").put("content", setting.line());
        }
        messages.addObject().put("role", "user").put("content", question.prompt());
        return body;
    }

    /// @return null when nothing came that could be understood
    private @Nullable TrialAnswer ask(TrialQuestion question, ObjectNode body) throws InterruptedException {
        // One for each request: a server that refuses some is left out for others.
        try (var client = new UpstreamClient(access)) {
            return client.listen(PromptPrefix.NONE, () -> false, server -> listen(client, server, question, body));
        } catch (ServerFailure e) {
            // The server says no to what it does not know, which is an answer too.
            answered &= e.isMistake();
            return null;
        }
    }

    private TrialAnswer listen(UpstreamClient client, UpstreamServer server, TrialQuestion question, ObjectNode body)
            throws ServerFailure, InterruptedException {
        long deadline = System.nanoTime() + answerTimeout.toNanos();
        var content = new StringBuilder();
        boolean told = false;
        try (var events = client.open(server, new UpstreamClient.Call(PATH, body), deadline, () -> {})) {
            while (true) {
                var event = ChatEvent.read(events.next(deadline));
                content.append(event.content());
                told |= !event.reasoning().isBlank() || event.sealedReasoning();
                if (content.length() > CHARACTERS_PER_TOKEN_MAX * ANSWER_TOKENS_MAX) {
                    throw ServerFailure.wrong("the server says more than it was asked for");
                }
                if (event.finish() != Finish.NONE) {
                    events.finish();
                    return new TrialAnswer(question, content.toString(), told, event.finish() == Finish.DONE);
                }
            }
        }
    }
}
