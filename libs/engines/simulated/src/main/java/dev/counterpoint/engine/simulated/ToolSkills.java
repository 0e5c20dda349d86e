package dev.counterpoint.engine.simulated;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.counterpoint.engine.simulated.PromptContent.MadeCall;
import dev.counterpoint.harmony.model.Role;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Skills that call the tool which the question asks for, and answer from the results of calls.
final class ToolSkills {
    private static final int ASKED_FROM = 2;
    private static final int CALLS_MAX = 8;
    private static final int TEXT_MAX = 400;
    private static final int ENTRIES_MAX = 10;
    private static final int DEPTH_MAX = 4;
    /// Words of many tools' names, which tell little.
    private static final Set<String> GENERIC = PromptWords.stems(
            "get set query search find list fetch create make run do tool function current return use give text name");

    private static final Pattern FOLLOW_UP = Pattern.compile("(?i)^\\W{0,3}(?:and|what about|how about|also|then)\\b");
    private static final Pattern SELECTION = Pattern.compile("(?i)\\bfrom \\w{1,40} (?:where|ordered by|table)\\b");
    private static final Pattern UNWANTED =
            Pattern.compile("(?i)\\b(?:without|don't|do not|no) (?:use |using |call |calling )?(?:any |the |a"
                    + " )?(?:tools?|functions?)\\b");

    private static final Pattern STEP = Pattern.compile(
            "(?i)[,;.]{0,1} ?(?:\\b(?:and )?(?:then|after that|afterwards|finally)\\b|\\n\\d{1,2}[.)]),? ");

    private ToolSkills() {}

    /// Calls a tool, once for each place that the question names; asks the user for a value that is missing.
    static @Nullable SkillAnswer call(PromptContent prompt) {
        if (PatchSkill.asked(prompt)) {
            return PatchSkill.call(prompt);
        }
        var steps = steps(prompt);
        if (steps.size() > 1) {
            return nextOf(steps, prompt);
        }
        var tool = chosen(prompt, prompt.question());
        if (tool == null) {
            return null;
        }
        var missing = new ArrayList<String>();
        var calls = calls(prompt, tool, missing);
        if (!missing.isEmpty()) {
            var names = PromptWords.join(missing);
            return SkillAnswer.say(
                    "The tool " + tool.name() + " would help, but it needs " + names
                            + ", so I ask instead of guessing.",
                    "To answer that I need to know the " + names + ". Which should I use?");
        }
        long made = PromptContent.calls(prompt.openTurn()).stream()
                .filter(call -> call.tool().equals(tool.name()))
                .count();
        if (made >= calls.size()) {
            return null;
        }
        var next = PromptWords.toJson(calls.get((int) made));
        var thought = made == 0
                ? "The tool " + tool.name() + " fits this question: " + PromptWords.begin(tool.description(), 16)
                : "One result is in, but the question asks for " + calls.size() + ".";
        var thoughts = List.of(thought, "From the user's words I take the arguments " + next + ".");
        return new SkillAnswer(thoughts, tool.name(), next, next);
    }

    /// The tools of a question that says what comes after what, each once.
    private static List<DeclaredTool> steps(PromptContent prompt) {
        return STEP.splitAsStream(prompt.question())
                .limit(CALLS_MAX)
                .map(step -> chosen(prompt, step))
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }

    private static @Nullable SkillAnswer nextOf(List<DeclaredTool> steps, PromptContent prompt) {
        var made = PromptContent.calls(prompt.openTurn()).stream()
                .map(MadeCall::tool)
                .toList();
        var next = steps.stream()
                .filter(tool -> !made.contains(tool.name()))
                .findFirst()
                .orElse(null);
        if (next == null) {
            return null;
        }
        var arguments =
                PromptWords.toJson(calls(prompt, next, new ArrayList<>()).getFirst());
        var thought = "Step " + (steps.indexOf(next) + 1) + " of " + steps.size() + " is " + next.name() + ".";
        return new SkillAnswer(List.of(thought), next.name(), arguments, arguments);
    }

    /// Calls of every tool, the likeliest first, for a mask that wants one. A missing argument gets an empty value.
    static List<SkillAnswer> forced(PromptContent prompt) {
        return prompt.tools().stream()
                .sorted(Comparator.comparingInt((DeclaredTool tool) -> -score(tool, prompt.question())))
                .map(tool -> {
                    var arguments = PromptWords.toJson(
                            calls(prompt, tool, new ArrayList<>()).getFirst());
                    return new SkillAnswer(List.of(), tool.name(), arguments, arguments);
                })
                .toList();
    }

    private static @Nullable DeclaredTool chosen(PromptContent prompt, String question) {
        DeclaredTool best = null;
        int bestScore = ASKED_FROM - 1;
        for (var tool : UNWANTED.matcher(question).find() ? List.<DeclaredTool>of() : prompt.tools()) {
            int score = score(tool, question);
            best = score > bestScore ? tool : best;
            bestScore = Math.max(score, bestScore);
        }
        var before = PromptContent.calls(prompt.earlier());
        if (best != null || before.isEmpty() || !FOLLOW_UP.matcher(question).find()) {
            return best;
        }
        // `And in London?` means the tool of the turn before.
        var name = before.getLast().tool();
        return prompt.tools().stream()
                .filter(tool -> tool.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private static int score(DeclaredTool tool, String question) {
        var name = List.of(PromptWords.ofIdentifier(tool.name()).split(" ", -1));
        var nameStems = PromptWords.stems(String.join(" ", name));
        var described = new StringBuilder(tool.description());
        tool.parameters()
                .forEach(each -> described
                        .append(' ')
                        .append(PromptWords.ofIdentifier(each.name()))
                        .append(each.type()));
        var others = PromptWords.stems(described.toString());
        int score = question.contains(tool.name()) ? 6 : 0;
        for (var word : PromptWords.content(question)) {
            var stem = PromptWords.stem(word);
            boolean generic = GENERIC.contains(stem);
            if (nameStems.contains(stem)) {
                score += generic ? 1 : 3;
            } else if (name.stream().anyMatch(part -> PromptWords.related(part, word))) {
                score += 2;
            } else if (!generic && others.contains(stem)) {
                score += 1;
            }
        }
        boolean calculates = name.stream().anyMatch(part -> PromptWords.related("calculate", part));
        boolean fits = calculates && ArithmeticSkill.work(question) != null
                || name.contains("database") && SELECTION.matcher(question).find();
        return fits ? score + 3 : score;
    }

    private static List<ObjectNode> calls(PromptContent prompt, DeclaredTool tool, List<String> missing) {
        var asked = new PromptValues(resultLines(prompt) + prompt.question(), PromptWords.object());
        var before =
                new PromptValues(String.join("\n", prompt.earlierQuestions().reversed()), PromptWords.object());
        var first = PromptWords.object();
        var calls = new ArrayList<>(List.of(first));
        for (var parameter : tool.parameters()) {
            var value = parameter.value(asked);
            if (value == null && parameter.required()) {
                value = parameter.value(before);
            }
            if (value == null
                    && parameter.required()
                    && parameter.type().startsWith("string")
                    && !parameter.type().endsWith("]")) {
                value = PromptWords.tree(asked.rest(PromptWords.ofIdentifier(tool.name()) + " " + tool.description()));
            }
            if (value == null && parameter.required()) {
                if (Set.of("string", "number").contains(parameter.type())) {
                    missing.add(PromptWords.ofIdentifier(parameter.name()));
                }
                // An object or a list is left to the mask.
                value = parameter.empty();
            }
            if (value != null) {
                first.set(parameter.name(), value);
            }
        }
        var places = asked.places();
        for (var parameter : tool.parameters()) {
            boolean place =
                    !places.isEmpty() && first.path(parameter.name()).asText().equals(places.getFirst());
            for (int i = 1; place && tool.parameters().size() < 3 && i < Math.min(CALLS_MAX, places.size()); i++) {
                calls.add(first.deepCopy().put(parameter.name(), places.get(i)));
            }
        }
        return calls;
    }

    /// Answers from what the tools returned, once every call is made that the question needs.
    static @Nullable SkillAnswer results(PromptContent prompt) {
        var turn = prompt.openTurn();
        if (turn.isEmpty() || turn.getLast().author().role() != Role.TOOL) {
            return null;
        }
        var more = call(prompt);
        if (more != null && more.tool() != null) {
            return more;
        }
        var thoughts = new ArrayList<String>();
        var sentences = new ArrayList<String>();
        var essence = "";
        for (var call : PromptContent.calls(turn)) {
            if (call.result() != null) {
                essence = told(tree(call.result()), 0);
                thoughts.add("The tool " + call.tool() + " returned: " + essence + ".");
                sentences.add(sentence(call, essence));
            }
        }
        thoughts.add("These values answer the question; I repeat them exactly and add nothing.");
        return SkillAnswer.say(thoughts, String.join(" ", sentences), essence);
    }

    /// Results of tools as `key: value` lines, so that values can be copied by name.
    static String resultLines(PromptContent prompt) {
        var lines = new StringBuilder();
        for (var call : PromptContent.calls(prompt.openTurn())) {
            for (var member : tree(call.result() == null ? "" : call.result()).properties()) {
                if (lines.length() < PromptContent.READ_MAX) {
                    lines.append(member.getKey())
                            .append(": ")
                            .append(told(member.getValue(), 1))
                            .append('\n');
                }
            }
        }
        return lines.toString();
    }

    private static String sentence(MadeCall call, String told) {
        var about = new ArrayList<String>();
        for (var argument : tree(call.arguments())) {
            if (argument.isTextual() && argument.asText().length() <= 40 && about.size() < ENTRIES_MAX) {
                about.add(argument.asText());
            }
        }
        var source = call.tool() + (about.isEmpty() ? "" : " for " + PromptWords.join(about));
        return PromptWords.lower(told).startsWith("error")
                ? "I could not find out: the tool " + source + " reported " + told + "."
                : "According to " + source + ": " + told + ".";
    }

    /// The text as a JSON object or array, else as a text.
    static JsonNode tree(String text) {
        var parsed = text.startsWith("{") || text.startsWith("[") ? PromptWords.json(text) : null;
        return parsed == null ? TextNode.valueOf(text.strip()) : parsed;
    }

    static String told(JsonNode node, int depth) {
        if (!node.isContainerNode()) {
            var text = PromptContent.clip(node.asText(), TEXT_MAX);
            return text.isEmpty() ? "nothing" : text.replaceFirst("[.]$", "");
        }
        var parts = new ArrayList<String>();
        var keys = node.fieldNames();
        for (var entry : node) {
            if (parts.size() < ENTRIES_MAX && depth < DEPTH_MAX) {
                var is = entry.isContainerNode() ? ": " : " is ";
                parts.add((keys.hasNext() ? PromptWords.ofIdentifier(keys.next()) + is : "") + told(entry, depth + 1));
            }
        }
        if (parts.size() < node.size()) {
            parts.add("and " + (node.size() - parts.size()) + " more");
        }
        return parts.isEmpty() ? "nothing" : String.join(", ", parts);
    }
}
