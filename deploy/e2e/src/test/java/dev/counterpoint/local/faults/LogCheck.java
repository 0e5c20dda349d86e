package dev.counterpoint.local.faults;

import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.parse.HarmonyEvent;
import dev.counterpoint.harmony.parse.HarmonyParser;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// Checks the log against itself: every response ended, what its attempts said fits together without a gap or a
/// repeat, and equal questions were answered with equal tokens, whoever died in between.
final class LogCheck {
    private static final String NO_PROMPT = "";

    private LogCheck() {}

    static List<Violation> check(Told told) {
        var found = new Violations(told);
        found.require("one ending", told.ended(), "it has none");
        var end = told.end();
        int tokens = told.tokens().length;
        if (end != null) {
            found.require(
                    "tokens are counted once",
                    end.outputTokens() == tokens,
                    "its end counts %d, its log has %d".formatted(end.outputTokens(), tokens));
            int reasoning = told.messages().stream()
                    .filter(Told.Message::reasoning)
                    .mapToInt(Told.Message::tokens)
                    .sum();
            found.require(
                    "reasoning is counted once",
                    end.reasoningTokens() == reasoning,
                    "its end counts %d, its log has %d".formatted(end.reasoningTokens(), reasoning));
        }
        found.require(
                "attempts go up",
                told.segments().stream()
                        .mapToInt(Told.Segment::attempt)
                        .boxed()
                        .toList()
                        .equals(ascending(told)),
                "the fences are for the attempts "
                        + told.segments().stream().map(Told.Segment::attempt).toList());
        checkText(told, found);
        return found.found();
    }

    private static List<Integer> ascending(Told told) {
        return told.segments().stream()
                .map(Told.Segment::attempt)
                .distinct()
                .sorted()
                .toList();
    }

    /// The text of the frames is the workers' reading of the tokens; here the tokens are read again, in one go.
    private static void checkText(Told told, Violations found) {
        var texts = texts(told.tokens());
        var published = told.messages().stream().map(Told.Message::text).toList();
        boolean whole = told.end() != null;
        boolean same = IntStream.range(0, published.size())
                .allMatch(at -> at < texts.size()
                        && (whole
                                ? texts.get(at).equals(published.get(at))
                                : texts.get(at).startsWith(published.get(at))));
        found.require(
                "text is what the tokens say",
                same && (!whole || texts.size() == published.size()),
                "%d messages are published, the tokens hold %d".formatted(published.size(), texts.size()));
    }

    private static List<String> texts(int[] tokens) {
        var parser = new HarmonyParser(Role.ASSISTANT);
        var texts = new ArrayList<StringBuilder>();
        for (int token : tokens) {
            parser.accept(token, event -> take(event, texts));
        }
        parser.finish(event -> take(event, texts));
        return texts.stream().map(StringBuilder::toString).toList();
    }

    private static void take(HarmonyEvent event, List<StringBuilder> texts) {
        switch (event) {
            case HarmonyEvent.MessageStarted _ -> texts.add(new StringBuilder());
            case HarmonyEvent.TextDelta(String text) -> texts.getLast().append(text);
            case HarmonyEvent.MessageEnded _, HarmonyEvent.Repaired _ -> {}
        }
    }

    /// Words that are recited follow from the question and from who says them. Finds whatever was left out, repeated or
    /// spliced in.
    static List<Violation> checkRecital(Told told, Question question) {
        var found = new Violations(told);
        int wrong = new ExpectedRecital(question.text())
                .wrong(told.segments(), told.id().toString());
        found.require("each word is what its attempt would say", wrong < 0, "word %d is not".formatted(wrong));
        long words = IntStream.of(told.tokens()).filter(ExpectedRecital::isWord).count();
        found.require(
                "the answer is whole",
                told.status() != Told.Status.COMPLETED || words == question.words(),
                "%d words of %d".formatted(words, question.words()));
        return found.found();
    }

    /// To any other question the simulated engine says the same each time, and what was cut off is how that begins.
    ///
    /// @param asks by number
    static List<Violation> checkSameTokens(Collection<Told> all, Map<Integer, AskedQuestion> asks) {
        var answers = new HashMap<String, int[]>();
        for (var told : all) {
            if (isWholeInOneAttempt(told)) {
                answers.putIfAbsent(prompt(told, asks), told.tokens());
            }
        }
        answers.remove(NO_PROMPT);
        var violations = new ArrayList<Violation>();
        for (var told : all) {
            int[] answer = answers.get(prompt(told, asks));
            if (answer != null) {
                violations.addAll(compare(told, answer));
            }
        }
        return violations;
    }

    /// The two APIs say the same question in slightly other words. A recital is not the same each time.
    private static String prompt(Told told, Map<Integer, AskedQuestion> asks) {
        var ask = asks.get(told.request());
        return ask == null || ask.question().words() > 0 ? NO_PROMPT : ask.question() + " " + ask.api();
    }

    private static boolean isWholeInOneAttempt(Told told) {
        return told.status() == Told.Status.COMPLETED && told.segments().size() == 1;
    }

    private static List<Violation> compare(Told told, int[] answer) {
        int[] tokens = told.tokens();
        int same = Arrays.mismatch(tokens, answer);
        boolean whole = told.status() == Told.Status.COMPLETED;
        var found = new Violations(told);
        found.require(
                "equal questions have equal tokens",
                same < 0 || !whole && same == tokens.length,
                "token %d of %d differs from an answer of %d in one attempt"
                        .formatted(same, tokens.length, answer.length));
        return found.found();
    }
}
