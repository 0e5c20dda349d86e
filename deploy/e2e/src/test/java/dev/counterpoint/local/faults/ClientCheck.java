package dev.counterpoint.local.faults;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.local.faults.AskedQuestion.Api;
import dev.counterpoint.local.faults.AskedQuestion.Manner;
import dev.counterpoint.local.faults.HeardAnswer.Outcome;
import dev.counterpoint.openai.sse.SseEvent;
import dev.counterpoint.validator.StreamValidator;
import dev.counterpoint.validator.ValidatorOptions;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Checks what a caller saw against what the log says.
final class ClientCheck {
    private static final Set<String> TERMINAL =
            Set.of("response.completed", "response.failed", "response.incomplete", "error");
    /// What a request may be refused with: it was taken by nobody, or given up for good.
    private static final Set<Integer> REFUSALS = Set.of(429, 500, 502, 503, 504);

    private static final String NO_LOG = "the log has no such response";

    private ClientCheck() {}

    /// @param told the log of this request; null when there is none
    static List<Violation> check(HeardAnswer heard, @Nullable Told told) {
        var found = new Violations("request %d (%s) %s"
                .formatted(heard.ask().number(), heard.ask().kind(), heard.id().orElse("")));
        if (told != null) {
            terms(heard.ask(), told, found);
        }
        switch (heard.outcome()) {
            case WHOLE -> whole(heard, told, found);
            case BROKEN, LEFT -> partial(heard, told, found);
            case REFUSED -> refused(heard, told, found);
            case GAVE_UP -> found.require("callers do not wait for ever", false, "the caller gave up");
            case VANISHED -> found.require("what was accepted stays", false, "nobody knew it any more");
            case REVIVED -> found.require("what was deleted stays deleted", false, "somebody knew it");
            case UNREACHED, DELETED -> {}
        }
        return found.found();
    }

    private static void terms(AskedQuestion ask, Told told, Violations found) {
        found.require(
                "a trace is kept when it was agreed to",
                told.accepted().audited() == ask.optsIn(),
                "asked %s, accepted %s".formatted(ask.optsIn(), told.accepted().audited()));
        found.require(
                "raw reasoning is for raw keys",
                told.accepted().rawReaders().contains(ServiceRole.GATEWAY) == ask.raw(),
                "asked %s, accepted for %s".formatted(ask.raw(), told.accepted().rawReaders()));
    }

    private static void whole(HeardAnswer heard, @Nullable Told told, Violations found) {
        if (told == null || !told.ended()) {
            found.require("what callers see is in the log", told != null, NO_LOG);
            return;
        }
        var seen = Transcript.of(heard);
        var said = Transcript.of(told, heard.ask());
        // A chat that failed is no answer; what a stream of it said before is how the answer began.
        boolean equal =
                told.status() != null && told.status().answered() || heard.ask().api() == Api.RESPONSES;
        found.require(
                "callers see what the log says",
                equal ? seen.equals(said) : seen.begins(said),
                "the caller's and the log's differ: " + seen.difference(said));
        if (heard.ask().manner() == Manner.STREAM) {
            grammar(heard, found);
        }
        ending(heard, told, found);
    }

    private static void partial(HeardAnswer heard, @Nullable Told told, Violations found) {
        if (heard.events().isEmpty()) {
            return;
        }
        if (told == null) {
            found.require("what callers see is in the log", false, NO_LOG);
            return;
        }
        var seen = Transcript.of(heard);
        var said = Transcript.of(told, heard.ask());
        found.require(
                "callers see what the log says",
                seen.begins(said),
                "what the caller saw is not how the log begins: " + seen.difference(said));
        grammar(heard, found);
    }

    private static void refused(HeardAnswer heard, @Nullable Told told, Violations found) {
        found.require(
                "refusals are of the known kinds",
                REFUSALS.contains(heard.status()),
                "it was refused with status " + heard.status());
        found.require(
                "what is refused does not run to its end",
                told == null || told.status() == null || !told.status().answered(),
                "it was refused with status " + heard.status() + ", and the log has an answer");
    }

    /// One that broke ends anywhere.
    private static void grammar(HeardAnswer heard, Violations found) {
        var validator = new StreamValidator(ValidatorOptions.DEFAULT);
        heard.events().forEach(data -> validator.accept(new SseEvent(type(data), null, data, null)));
        var violations = heard.outcome() == Outcome.WHOLE ? validator.end() : validator.violations();
        found.require(
                "streams keep the grammar",
                violations.isEmpty(),
                violations.isEmpty() ? "" : violations.getFirst().toString());
    }

    /// As its `event:` line said; other tests read that line.
    private static @Nullable String type(String data) {
        return data.equals(HeardAnswer.DONE)
                ? null
                : Question.tree(data).path("type").asText(null);
    }

    private static void ending(HeardAnswer heard, Told told, Violations found) {
        var status = String.valueOf(told.status()).toLowerCase(Locale.ROOT);
        if (heard.ask().api() == Api.RESPONSES) {
            var last = heard.events().isEmpty()
                    ? Question.tree(heard.answer())
                    : heard.chunks().getLast().path("response");
            found.require(
                    "the ending is the log's",
                    last.path("status").asText().equals(status),
                    "the caller was told '%s', the log says '%s'"
                            .formatted(last.path("status").asText(), status));
            if (heard.ask().manner() == Manner.STREAM) {
                long terminals = heard.chunks().stream()
                        .filter(event -> TERMINAL.contains(event.path("type").asText()))
                        .count();
                found.require("one ending", terminals == 1, terminals + " in the caller's stream");
            }
        } else {
            var finishes = (heard.events().isEmpty() ? List.of(Question.tree(heard.answer())) : heard.chunks())
                    .stream()
                            .map(ClientCheck::finish)
                            .filter(finish -> !finish.isEmpty())
                            .toList();
            int expected = told.status() != null && told.status().answered() ? 1 : 0;
            found.require(
                    "one ending",
                    finishes.size() == expected,
                    "finish reasons %s, the log says '%s'".formatted(finishes, status));
        }
    }

    private static String finish(JsonNode chunk) {
        return chunk.path("choices").path(0).path("finish_reason").asText("").replace("null", "");
    }
}
