package dev.counterpoint.harmony.parse;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.FunctionNames;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.model.ToolNamespace;
import dev.counterpoint.harmony.parse.HarmonyEvent.MessageEnded;
import dev.counterpoint.harmony.parse.HarmonyEvent.MessageStarted;
import dev.counterpoint.harmony.parse.HarmonyEvent.Repaired;
import dev.counterpoint.harmony.parse.HarmonyEvent.TextDelta;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Mends what a model addresses to tools, and passes on everything else as it comes:
///
/// * A `final` message to a recipient that is no tool of the answer is the answer.
/// * A call of `multi_tool_use.parallel` is the calls inside it, each as soon as it is whole.
/// * The arguments of a call without any are an empty object.
///
/// Not thread-safe.
public final class CallMender implements Consumer<HarmonyEvent> {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
    private static final String PARALLEL = "multi_tool_use.parallel";
    private static final String NO_ARGUMENTS = "{}";

    private final FunctionNames functions;
    private final Consumer<HarmonyEvent> sink;
    /// Blanks where arguments have yet to begin; null for any other message.
    private @Nullable StringBuilder blanks;
    private @Nullable Parallel parallel;

    /// @param functions that the answer may call
    public CallMender(FunctionNames functions, Consumer<HarmonyEvent> sink) {
        this.functions = functions;
        this.sink = sink;
    }

    @Override
    public void accept(HarmonyEvent event) {
        switch (event) {
            case MessageStarted started -> start(started);
            case TextDelta(String text) when parallel != null -> text.chars().forEach(parallel::read);
            case TextDelta delta when blanks != null -> begin(delta.text(), blanks);
            case MessageEnded _ -> {
                finish();
                sink.accept(event);
            }
            case TextDelta _, Repaired _ -> sink.accept(event);
        }
    }

    private void start(MessageStarted started) {
        var recipient = started.author().role() == Role.ASSISTANT ? started.recipient() : null;
        var function = recipient == null ? null : functions.resolve(recipient);
        if (function == null && recipient != null && PARALLEL.equals(ToolNamespace.withoutFunctions(recipient))) {
            parallel = new Parallel(started);
        } else if (function == null && recipient != null && Channels.FINAL.equals(started.channel())) {
            sink.accept(new MessageStarted(started.author(), started.channel(), null, started.contentType()));
        } else {
            blanks = function == null || functions.takesPlainText(function) ? null : new StringBuilder();
            sink.accept(started);
        }
    }

    private void begin(String text, StringBuilder before) {
        before.append(text);
        if (!text.isBlank()) {
            blanks = null;
            sink.accept(new TextDelta(before.toString()));
        }
    }

    private void finish() {
        if (parallel != null) {
            parallel.finish();
        } else if (blanks != null) {
            sink.accept(new TextDelta(NO_ARGUMENTS));
        }
        parallel = null;
        blanks = null;
    }

    private final class Parallel {
        /// A call is an object in a list in an object.
        private static final int CALL_DEPTH = 3;

        private final MessageStarted header;
        /// From the last call on that is not whole.
        private final StringBuilder held = new StringBuilder();
        private boolean expanded;
        private int depth;
        private boolean quoted;
        private boolean escaped;

        private Parallel(MessageStarted header) {
            this.header = header;
        }

        private void read(int c) {
            held.append((char) c);
            quoted ^= c == '"' && !escaped;
            escaped = quoted && c == '\\' && !escaped;
            if (!quoted && (c == '{' || c == '[') && ++depth == CALL_DEPTH) {
                held.delete(0, held.length() - 1);
            } else if (!quoted && (c == '}' || c == ']') && --depth == CALL_DEPTH - 1) {
                call();
            }
        }

        private void call() {
            try {
                var call = JSON.readTree(held.toString());
                var recipient = call.path("recipient_name").asText();
                var parameters = call.path("parameters");
                if (!recipient.isBlank()) {
                    var text = parameters.isObject() ? parameters.toString() : parameters.asText("");
                    say(new MessageStarted(header.author(), Channels.COMMENTARY, recipient, "json"), text);
                }
            } catch (JsonProcessingException e) {
                // The text held at the end is no valid call, so it is dropped.
            }
        }

        private void say(MessageStarted started, String text) {
            if (expanded) {
                sink.accept(new MessageEnded(HarmonyEvent.Stop.IMPLICIT));
            }
            expanded = true;
            held.setLength(0);
            sink.accept(started);
            sink.accept(new TextDelta(text.isBlank() ? NO_ARGUMENTS : text));
        }

        private void finish() {
            if (!expanded || held.indexOf("{") >= 0) {
                say(header, held.toString());
            }
        }
    }
}
