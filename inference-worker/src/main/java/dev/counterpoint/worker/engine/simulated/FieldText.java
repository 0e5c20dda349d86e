package dev.counterpoint.worker.engine.simulated;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Finds the words that belong into a text field.
final class FieldText {
    private static final Pattern FROM =
            Pattern.compile("\\b[Ff]rom (?:the )?(\\p{Lu}[\\p{L}-]+(?: \\p{Lu}[\\p{L}-]+){0,4})");
    private static final Pattern TO =
            Pattern.compile("\\b[Tt]o (?:the )?(\\p{Lu}[\\p{L}-]+(?: \\p{Lu}[\\p{L}-]+){0,4})");
    private static final Pattern AFTER_PLACE_WORD = Pattern.compile(
            "\\b(?:in|for|at|near|of) (?:the )?([\\p{L}\\p{N}][\\p{L}\\p{N}-]*+(?: [\\p{L}\\p{N}-]{3,})?)");
    private static final Pattern EVENT =
            Pattern.compile("\\b(?:going to|attend|attending|to|for|at|the|a|an) (?:a|an|the"
                    + "|our|my) ([\\p{L}-]+(?: [\\p{L}-]+){0,4}?)(?= (?:on|at|in|next"
                    + "|this|with|from|tomorrow|today)\\b|[,.!?\\n]|$)");
    private static final Pattern TITLED = Pattern.compile(
            "\\b(?:titled|entitled|called|named|subject|title):? (?:is )?"
                    + "(?:['\"“]([^'\"”\\n]+)['\"”]|([^,.!?\\n'\"]{1,80}?)(?= (?:with"
                    + "|and|on|for|at|in|to)\\b|[,.!?\\n]|$))",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern ABOUT = Pattern.compile(
            "\\b(?:about|regarding|concerning|on the topic of) ([^.!?\\n]{1,200})", Pattern.CASE_INSENSITIVE);
    private static final Pattern SAYING = Pattern.compile(
            "\\b(?:saying|that says|says|telling (?:him|her|them)) (?:that )?([^\\n]{1,2000})",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern TABLE_NAME = Pattern.compile(
            "\\b([a-z_][\\w]*) table\\b|\\btable ([a-z_][\\w]*)|\\bfrom (?:the )?([a-z_][\\w]*)",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern IDENTIFIER = Pattern.compile("#?\\b(?=[\\w-]*\\d)[\\w-]{2,40}\\b");
    private static final Pattern LANGUAGE =
            Pattern.compile("\\b(English|German|French|Spanish|Italian|Japanese|Chinese|Portuguese"
                    + "|Russian|Arabic|Korean|Dutch|Polish|Latin)\\b");
    private static final Pattern COMMAND = Pattern.compile(
            "^(?:(?:hey|hi|hello|please|kindly|can you|could you|would you"
                    + "|i need you to|i want you to|i need|i want)[, ]+){0,8}"
                    + "(?:(?:search|find|look up|look|google|query|tell me|get me|give"
                    + " me|get|fetch|show me|show|check|what is|what's"
                    + "|who is|calculate|compute|evaluate|solve)\\b[ ]?(?:for |about |information |on ){0,8})?",
            Pattern.CASE_INSENSITIVE);

    private static final Set<String> NO_COLUMNS = Set.of(
            "retrieve",
            "fetch",
            "select",
            "show",
            "need",
            "query",
            "list",
            "find",
            "first",
            "last",
            "top",
            "log",
            "entry",
            "entries",
            "table",
            "row",
            "rows",
            "record",
            "records",
            "column",
            "columns");

    private final Facts facts;
    private final @Nullable Answer prose;

    FieldText(Facts facts, @Nullable Answer prose) {
        this.facts = facts;
        this.prose = prose;
    }

    /// Candidates for a field, best first; what nothing points to is not among them.
    List<String> candidates(String name, String description) {
        var found = new ArrayList<String>();
        var pair = facts.pair(name);
        if (pair != null) {
            found.add(pair);
        }
        var kind = FieldKind.of(name, description);
        found.addAll(ofKind(kind));
        if (kind == FieldKind.UNKNOWN || kind == FieldKind.NAME) {
            addNamed(found, name);
        }
        found.removeIf(String::isBlank);
        return found;
    }

    private List<String> ofKind(FieldKind kind) {
        return switch (kind) {
            case EMAIL -> facts.emails();
            case URL -> facts.urls();
            case PHONE -> facts.phones();
            case DATE -> facts.dates();
            case TIME -> facts.times();
            case ORIGIN -> groups(FROM);
            case DESTINATION -> orElse(groups(TO), facts.places());
            case PLACE -> orElse(facts.places(), facts.names(), afterPlaceWord());
            case PERSON -> facts.names();
            case NAME -> orElse(facts.names(), facts.places(), facts.quotes());
            case ITEM -> facts.items();
            case LANGUAGE -> groups(LANGUAGE);
            case EXPRESSION -> orElse(Expression.asText(facts.text()));
            case STEPS, SUMMARY -> prose == null ? about() : List.of(prose.text());
            case ANSWER -> prose == null ? List.of() : List.of(prose.essence());
            case TITLE -> orElse(groups(TITLED), facts.quotes(), groups(EVENT), about());
            case QUERY -> orElse(facts.quotes(), List.of(withoutCommand()));
            case CONTENT -> content();
            case ID -> matches(IDENTIFIER);
            case TABLE -> groups(TABLE_NAME);
            case COLUMNS -> columns();
            case MONEY, AGE, COUNT, OPERAND, UNKNOWN -> List.of();
        };
    }

    /// `title Experiment`, `label x as 'Day'`: what stands behind the field's own words.
    private void addNamed(List<String> found, String name) {
        var words = String.join("[ _-]", Words.ofIdentifier(name));
        if (words.isEmpty()) {
            return;
        }
        var behind = Pattern.compile("\\b(?i:" + words + "(?: (?:is|as|to|called|named))?) "
                        + "(?:['\"]([^'\"\\n]+)['\"]|(\\p{Lu}[\\w-]*|\\d[\\w-]*))")
                .matcher(facts.text());
        while (behind.find()) {
            found.add(behind.group(1) == null ? behind.group(2) : behind.group(1));
        }
    }

    private List<String> afterPlaceWord() {
        return groups(AFTER_PLACE_WORD).stream()
                .filter(Predicate.not(place -> Words.isStopWord(Words.all(place).getFirst())))
                .map(place -> place.replaceFirst(" (?:today|tomorrow|now|right|please|this|next|tonight).*", ""))
                .toList();
    }

    private List<String> about() {
        return groups(ABOUT);
    }

    /// The text that a request is about: in backticks or quotes, after `saying`, after a colon, or all of it.
    private List<String> content() {
        var text = facts.text().strip();
        var found = new ArrayList<String>(orElse(facts.quotes(), groups(SAYING)));
        int colon = text.indexOf(':');
        if (colon > 0 && colon < text.length() - 1) {
            var behind = text.substring(colon + 1).strip();
            found.add(behind.startsWith("'") || behind.startsWith("\"") ? found.size() : found.size(), behind);
        }
        found.add(text);
        return found;
    }

    private List<String> columns() {
        var text = facts.text();
        int from = Words.lower(text).indexOf(" from ");
        var part = from < 0 ? text.replaceFirst("(?is)^.*? for ", "") : text.substring(0, from);
        part = part.replaceFirst("(?i) where .*", "");
        var columns = new ArrayList<String>();
        for (var word : Words.content(COMMAND.matcher(part).replaceFirst(""))) {
            if (!NO_COLUMNS.contains(Words.lower(word)) && Character.isLowerCase(word.charAt(0))) {
                columns.add(word);
            }
        }
        return columns;
    }

    private String withoutCommand() {
        var sentence = facts.text().strip();
        var bare = COMMAND.matcher(sentence)
                .replaceFirst("")
                .replaceFirst("[?.!]+$", "")
                .strip();
        return bare.isEmpty() ? sentence : bare;
    }

    private List<String> groups(Pattern pattern) {
        var found = new ArrayList<String>();
        var match = pattern.matcher(facts.text());
        while (match.find()) {
            for (int group = 1; group <= match.groupCount(); group++) {
                if (match.group(group) != null && !match.group(group).isBlank()) {
                    found.add(match.group(group).strip().replaceFirst("^['\"](.*)['\"]$", "$1"));
                }
            }
        }
        return found;
    }

    private List<String> matches(Pattern pattern) {
        return pattern.matcher(facts.text())
                .results()
                .map(match -> match.group())
                .toList();
    }

    @SafeVarargs
    private static List<String> orElse(List<String>... lists) {
        for (var list : lists) {
            if (!list.isEmpty()) {
                return list;
            }
        }
        return List.of();
    }
}
