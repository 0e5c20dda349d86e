package dev.counterpoint.worker.engine.simulated;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Calls the declared tool that the question asks for, with arguments from the question.
final class ToolUse implements Skill {
    private static final int ASKED_FROM = 2;
    private static final int CALLS_MAX = 8;
    private static final Set<String> GENERIC = Set.of(
            "get",
            "set",
            "query",
            "search",
            "find",
            "list",
            "fetch",
            "create",
            "make",
            "run",
            "do",
            "tool",
            "function",
            "current",
            "return",
            "use",
            "give",
            "text",
            "name",
            "data",
            "user");
    private static final Pattern SELECTION = Pattern.compile("(?i)\\bfrom \\w+ (?:where|ordered by|table)\\b");
    private static final Pattern FOLLOW_UP =
            Pattern.compile("(?i)^\\W*(?:and|what about|how about|also|then|same for|now)\\b");
    private static final Pattern TITLED = Pattern.compile("(?i)\\b(?:titled?|entitled|called|named|subject)\\b");
    private static final Pattern UNWANTED =
            Pattern.compile("(?i)\\b(?:without|don't|do not|no) (?:use |using |call |calling"
                    + " )?(?:any |the |a )?(?:tools?|functions?)\\b");

    @Override
    public @Nullable Answer answer(Situation situation) {
        var tool = chosen(situation);
        if (tool == null) {
            return null;
        }
        var arguments = new Arguments(situation, tool);
        var missing = arguments.missing();
        if (!missing.isEmpty()) {
            return Fallback.ask(tool, missing);
        }
        var calls = arguments.all();
        int made = (int) Situation.calls(situation.openTurn()).stream()
                .filter(call -> call.tool().equals(tool.name()))
                .count();
        if (made >= Math.min(CALLS_MAX, calls.size())) {
            return null;
        }
        var next = Json.write(calls.get(made));
        var thoughts = new ArrayList<String>();
        thoughts.add(
                made == 0
                        ? "The tool " + tool.name() + " fits this question"
                                + (tool.description().isEmpty() ? "." : ": " + Words.begin(tool.description(), 16))
                        : "One result is in, but the question asks for " + calls.size() + ".");
        thoughts.add("From the user's words I take the arguments " + next + ".");
        return new Answer(thoughts, new Answer.Reply.Call(tool.name(), next), next);
    }

    /// Calls of every tool, the likeliest first, for a mask that wants one: what is missing gets an empty
    /// value.
    static List<Answer.Reply.Call> forced(Situation situation) {
        var words = Words.content(situation.question());
        return situation.tools().stream()
                .sorted(Comparator.comparingInt((DeclaredTool tool) -> -score(tool, words, situation.question())))
                .map(tool -> new Answer.Reply.Call(
                        tool.name(),
                        Json.write(new Arguments(situation, tool).all().getFirst())))
                .toList();
    }

    private static @Nullable DeclaredTool chosen(Situation situation) {
        var question = situation.question();
        if (situation.tools().isEmpty() || UNWANTED.matcher(question).find()) {
            return null;
        }
        var words = Words.content(question);
        DeclaredTool best = null;
        int bestScore = ASKED_FROM - 1;
        for (var tool : situation.tools()) {
            int score = score(tool, words, question);
            if (score > bestScore) {
                best = tool;
                bestScore = score;
            }
        }
        return best == null && FOLLOW_UP.matcher(question).find() ? toolBefore(situation) : best;
    }

    /// `And in London?` means the tool of the turn before.
    private static @Nullable DeclaredTool toolBefore(Situation situation) {
        var calls = Situation.calls(situation.earlier());
        if (calls.isEmpty()) {
            return null;
        }
        var name = calls.getLast().tool();
        return situation.tools().stream()
                .filter(tool -> tool.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private static int score(DeclaredTool tool, List<String> words, String question) {
        var name = Words.ofIdentifier(tool.name());
        var nameStems = stems(name);
        var description = stems(Words.content(tool.description()));
        var parameters = new HashSet<String>();
        for (var field : tool.parameters().fields()) {
            parameters.addAll(stems(Words.ofIdentifier(field.name())));
            if (field.shape() instanceof Shape.Choice(var values)) {
                values.forEach(value -> parameters.addAll(stems(Words.all(value))));
            }
        }
        int score = 0;
        for (var word : words) {
            var stem = Words.stem(word);
            if (GENERIC.contains(stem) && nameStems.contains(stem)) {
                score += 1;
            } else if (nameStems.contains(stem)) {
                score += 3;
            } else if (name.stream().anyMatch(part -> !GENERIC.contains(part) && Words.related(part, word))) {
                score += 2;
            } else if (!GENERIC.contains(stem) && (description.contains(stem) || parameters.contains(stem))) {
                score += 1;
            }
        }
        boolean names = Words.lower(question).contains(Words.lower(tool.name()));
        boolean calculates = name.stream().anyMatch(part -> Words.related("calculate", part));
        boolean selects = name.stream().anyMatch(part -> Words.related("sql", part))
                && SELECTION.matcher(question).find();
        return score + (names ? 6 : 0) + (selects ? 3 : 0) + (calculates && Expression.find(question) != null ? 3 : 0);
    }

    private static Set<String> stems(List<String> words) {
        var stems = new HashSet<String>();
        words.forEach(word -> stems.add(Words.stem(word)));
        return stems;
    }

    /// The arguments of one tool, from the question, else from what the user said before.
    private static final class Arguments {
        private final Situation situation;
        private final DeclaredTool tool;
        private final Facts asked;
        private final Filler fromQuestion;
        private final Filler fromBefore;
        private final List<String> missing = new ArrayList<>();

        Arguments(Situation situation, DeclaredTool tool) {
            this.situation = situation;
            this.tool = tool;
            this.asked = FactFinder.find(situation.question());
            this.fromQuestion = new Filler(asked, null);
            this.fromBefore = new Filler(
                    FactFinder.find(
                            String.join("\n", situation.earlierQuestions().reversed())),
                    null);
        }

        List<String> missing() {
            missing.clear();
            one();
            return List.copyOf(missing);
        }

        /// One set of arguments, or one for each place when the question names several and the tool takes one.
        List<ObjectNode> all() {
            var first = one();
            var calls = new ArrayList<ObjectNode>();
            calls.add(first);
            for (var field : tool.parameters().fields()) {
                boolean place = FieldKind.of(field.name(), field.description()) == FieldKind.PLACE;
                if (place
                        && field.shape() instanceof Shape.Text
                        && asked.places().size() > 1) {
                    for (var other : asked.places().subList(1, asked.places().size())) {
                        calls.add(first.deepCopy().put(field.name(), other));
                    }
                    break;
                }
            }
            return calls;
        }

        private ObjectNode one() {
            var filled = Json.NODES.objectNode();
            for (var field : tool.parameters().fields()) {
                if (!field.required() && isVague(field)) {
                    continue;
                }
                var found = fromQuestion.find(field, 0);
                if (found == null && field.required()) {
                    found = fromBefore.find(field, 0);
                }
                if (found == null && field.required()) {
                    var rest = rest(field);
                    found = rest == null ? null : Json.NODES.textNode(rest);
                }
                if (found != null) {
                    filled.set(field.name(), found);
                } else if (field.required()) {
                    if (needsTheUser(field)) {
                        missing.add(field.name());
                    }
                    filled.set(field.name(), fromQuestion.empty(field));
                }
            }
            return filled;
        }

        private boolean isVague(Shape.Field field) {
            var kind = FieldKind.of(field.name(), field.description());
            if (kind == FieldKind.TITLE) {
                return !TITLED.matcher(asked.text()).find();
            }
            return field.shape() instanceof Shape.Text
                    && Set.of(FieldKind.QUERY, FieldKind.CONTENT, FieldKind.SUMMARY, FieldKind.ANSWER, FieldKind.STEPS)
                            .contains(kind);
        }

        private static boolean needsTheUser(Shape.Field field) {
            return field.ifMissing() == null
                    && (field.shape() instanceof Shape.Text || field.shape() instanceof Shape.Numeric);
        }

        /// For a text that no rule knows: a name, else the words of the question that the tool itself does
        /// not explain.
        private @Nullable String rest(Shape.Field field) {
            var kind = FieldKind.of(field.name(), field.description());
            if (!(field.shape() instanceof Shape.Text)
                    || kind != FieldKind.UNKNOWN && kind != FieldKind.NAME && kind != FieldKind.TITLE) {
                return null;
            }
            if (!asked.names().isEmpty()) {
                return asked.names().getFirst();
            }
            if (!asked.quotes().isEmpty()) {
                return asked.quotes().getFirst();
            }
            var known = stems(Words.ofIdentifier(tool.name()));
            known.addAll(stems(Words.content(tool.description())));
            var own = Words.content(situation.question()).stream()
                    .filter(word -> !known.contains(Words.stem(word)) && !Words.isStarter(word))
                    .toList();
            return own.isEmpty() ? null : String.join(" ", own);
        }
    }
}
