package dev.counterpoint.worker.engine.simulated;

import java.math.BigDecimal;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Picks values out of the text that the user gives: all of a kind, or the one behind a key.
final class Extraction implements Skill {
    private static final Pattern KIND =
            Pattern.compile("(?i)\\b(?:extract|find|list|pull out|identify|pick out|get|give"
                    + " me|show|return|what|which|who)\\b[^.:\\n]{0,40}?"
                    + "\\b(e-?mails?(?: address(?:es)?)?|urls?|links?|phone numbers?"
                    + "|dates?|times?|numbers?|quotes?|names?"
                    + "|people|persons?|cit(?:y|ies)|places?|locations?)\\b[^.\\n]{0,30}?"
                    + "(?:\\b(?:from|in|of|are mentioned|is mentioned|mentioned|appear|occur|there)\\b|:|\\?)");
    private static final Pattern OWN = Pattern.compile("(?i)\\b(?:my|your) (?:name|city|location|phone|e-?mail)");
    private static final Pattern KEY_ASKED =
            Pattern.compile("(?i)\\b(?:what(?:'s| is| was| are)|which|extract|give me|tell"
                    + " me|return) (?:the |its |my |his |her )?([\\p{L}][\\p{L} _-]{1,30}?)"
                    + "(?: (?:of|in|from|is|was|here|there)\\b.*)?[?.:]");

    @Override
    public @Nullable Answer answer(Situation situation) {
        var question = situation.question();
        var facts = FactFinder.find(question);
        var kind = KIND.matcher(question);
        if (kind.find() && !OWN.matcher(question).find()) {
            var name = Words.lower(kind.group(1));
            var found = ofKind(name, facts);
            if (!found.isEmpty()) {
                return Answer.say(
                        List.of(
                                "I go through the text and look for every " + name + ".",
                                "I find " + Words.join(found) + "."),
                        (found.size() == 1 ? "There is one: " : "I find " + found.size() + ": ")
                                + String.join(", ", found) + ".",
                        String.join(", ", found));
            }
        }
        return byKey(question, facts);
    }

    private static List<String> ofKind(String kind, Facts facts) {
        return switch (kind.replaceFirst("^e-?", "e").charAt(0)) {
            case 'e' -> facts.emails();
            case 'u', 'l' -> kind.startsWith("lo") ? facts.places() : facts.urls();
            case 'd' -> facts.dates();
            case 't' -> facts.times();
            case 'c' -> facts.places();
            case 'q' -> facts.quotes();
            case 'p' -> kind.startsWith("ph") ? facts.phones() : kind.startsWith("pl") ? facts.places() : facts.names();
            default ->
                kind.startsWith("nu")
                        ? facts.numbers().stream()
                                .map(BigDecimal::toPlainString)
                                .toList()
                        : facts.names();
        };
    }

    private static @Nullable Answer byKey(String question, Facts facts) {
        var asked = KEY_ASKED.matcher(question);
        while (asked.find()) {
            var key = String.join(" ", Words.ofIdentifier(asked.group(1)));
            var value = facts.pairs().get(key);
            if (value != null) {
                var bare = value.replaceFirst("[.?!]+$", "");
                return Answer.say(
                        List.of("The text itself says what the " + key + " is."),
                        "The " + key + " is " + bare + ".",
                        bare);
            }
        }
        return null;
    }
}
