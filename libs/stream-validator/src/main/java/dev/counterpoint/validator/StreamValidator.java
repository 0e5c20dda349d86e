package dev.counterpoint.validator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.sse.SseEvent;
import dev.counterpoint.openai.sse.SseParser;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Validates one stream while it runs or afterwards: give it the bytes as they come, then say that they have ended.
///
/// ```java
/// var validator = new StreamValidator(ValidatorOptions.DEFAULT);
/// while ((length = body.read(buffer)) >= 0) {
///     validator.accept(buffer, 0, length);
/// }
/// validator.end().forEach(System.out::println);
/// ```
///
/// Keeps what the items said, so about as much memory as the final response. Not thread-safe.
public final class StreamValidator {
    private static final String DONE = "[DONE]";

    private final ValidatorOptions options;
    private final StreamViolations violations = new StreamViolations();
    private final SseParser parser = new SseParser();
    private @Nullable EventGrammar grammar;
    private int events;
    private boolean done;
    private boolean unreadable;
    private boolean over;

    public StreamValidator(ValidatorOptions options) {
        this.options = options;
        this.grammar = grammar(options.api());
    }

    /// The violations of a stream that is there as a whole; empty when it is right.
    public static List<StreamViolation> validate(byte[] stream, ValidatorOptions options) {
        var validator = new StreamValidator(options);
        validator.accept(stream, 0, stream.length);
        return validator.end();
    }

    /// Takes the next bytes, in whatever pieces they come.
    public void accept(byte[] bytes, int from, int length) {
        if (unreadable) {
            return;
        }
        try {
            parser.accept(bytes, from, length).forEach(this::accept);
        } catch (IllegalStateException tooLarge) {
            violations.at(StreamPosition.endAfter(events));
            violations.add(ValidationRule.FRAMING, Objects.toString(tooLarge.getMessage()));
            unreadable = true;
        }
    }

    /// Takes the next event, where something else has parsed the stream. Comments are no events.
    public void accept(SseEvent event) {
        if (event.event() == null && event.id() == null && event.data().isEmpty()) {
            return;
        }
        events++;
        violations.at(new StreamPosition(events, null, event.data().equals(DONE) ? DONE : "without JSON"));
        if (done) {
            violations.add(ValidationRule.FRAMING, "nothing may follow [DONE]");
        } else if (event.data().equals(DONE)) {
            done(event);
        } else {
            body(event);
        }
        if (event.id() != null) {
            violations.add(ValidationRule.FRAMING, "has an id: line; streams of this API have none");
        }
    }

    /// What was wrong so far.
    public List<StreamViolation> violations() {
        return violations.kept();
    }

    /// The stream has ended, so what is missing is missing: all violations.
    public List<StreamViolation> end() {
        if (over) {
            return violations.kept();
        }
        over = true;
        violations.at(StreamPosition.endAfter(events));
        if (!parser.incomplete().isEmpty()) {
            violations.add(ValidationRule.FRAMING, "the stream breaks off within an event, before its empty line");
        }
        if (!done) {
            endOfEvents();
            if (options.doneRequired()) {
                violations.add(ValidationRule.FRAMING, "data: [DONE] is missing");
            }
        }
        return violations.kept();
    }

    private void done(SseEvent event) {
        if (event.event() != null) {
            violations.add(ValidationRule.FRAMING, "[DONE] has an event: line");
        }
        endOfEvents();
        done = true;
    }

    private void endOfEvents() {
        if (grammar != null) {
            grammar.end();
        } else if (options.whole()) {
            violations.add(ValidationRule.ENDING, "the stream has no events");
        }
    }

    private void body(SseEvent event) {
        var body = json(event.data());
        if (body == null) {
            violations.add(ValidationRule.FRAMING, "data: is not one JSON object, nor [DONE]");
            return;
        }
        if (grammar == null) {
            grammar = grammar(body.has("type") ? ValidatorOptions.Api.RESPONSES : ValidatorOptions.Api.CHAT);
        }
        var rules = Objects.requireNonNull(grammar);
        var number = body.path("sequence_number");
        var name = rules.eventName(body);
        violations.at(new StreamPosition(
                events, number.isIntegralNumber() ? number.longValue() : null, name == null ? "chunk" : name));
        if (!Objects.equals(event.event(), name)) {
            violations.add(ValidationRule.FRAMING, namedWrongly(event.event(), name));
        }
        rules.accept(body);
    }

    private static String namedWrongly(@Nullable String line, @Nullable String name) {
        if (line == null) {
            return "the event: line is missing; it repeats the type";
        }
        return name == null ? "has an event: line; chunks have none" : "the event: line does not repeat the type";
    }

    private static @Nullable ObjectNode json(String data) {
        try {
            return WireJson.parse(data.getBytes(StandardCharsets.UTF_8)) instanceof ObjectNode object ? object : null;
        } catch (WireException notJson) {
            return null;
        }
    }

    private @Nullable EventGrammar grammar(ValidatorOptions.Api api) {
        return switch (api) {
            case RESPONSES -> new ResponsesGrammar(options, violations);
            case CHAT -> new ChatGrammar(options, violations);
            case EITHER -> null;
        };
    }
}
