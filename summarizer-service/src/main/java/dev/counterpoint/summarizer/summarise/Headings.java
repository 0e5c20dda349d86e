package dev.counterpoint.summarizer.summarise;

import java.util.List;
import java.util.Set;

/// Headings come from this list and from nowhere else, so that they can never carry a word of the reasoning.
final class Headings {
    private static final Set<String> TOOLS =
            Set.of("tool", "tools", "search", "lookup", "browse", "query", "function", "call");
    private static final Set<String> CHECKS = Set.of(
            "check",
            "checks",
            "verify",
            "confirm",
            "test",
            "tests",
            "compare",
            "correct",
            "wait",
            "recheck",
            "consistent");
    private static final Set<String> REQUEST =
            Set.of("user", "they", "asks", "ask", "asked", "wants", "want", "question", "request", "needs", "they're");
    private static final Set<String> PLAN = Set.of(
            "answer",
            "reply",
            "respond",
            "explain",
            "mention",
            "suggest",
            "recommend",
            "provide",
            "give",
            "start",
            "keep",
            "outline",
            "offer",
            "include",
            "plan",
            "tone",
            "should",
            "describe",
            "tell",
            "write",
            "show",
            "use");
    private static final Set<String> NUMBERS = Set.of(
            "sum",
            "product",
            "multiply",
            "divide",
            "add",
            "subtract",
            "compute",
            "calculate",
            "equation",
            "percent",
            "number",
            "numbers",
            "probability",
            "total",
            "square",
            "equals",
            "times",
            "plus",
            "minus",
            "half",
            "average");

    private Headings() {}

    static String of(String sentence, List<String> words) {
        long figures =
                words.stream().filter(word -> Character.isDigit(word.charAt(0))).count();
        if (sentence.indexOf('=') >= 0
                || sentence.indexOf('×') >= 0
                || figures > 0 && any(words, NUMBERS)
                || figures > 1) {
            return "Working through the numbers";
        }
        if (any(words.subList(0, Math.min(8, words.size())), REQUEST)) {
            return "Considering the request";
        }
        if (any(words, TOOLS)) {
            return "Choosing a tool";
        }
        if (any(words, CHECKS)) {
            return "Checking the result";
        }
        return any(words, PLAN) ? "Planning the answer" : "Thinking it through";
    }

    private static boolean any(List<String> words, Set<String> of) {
        return words.stream().anyMatch(of::contains);
    }
}
