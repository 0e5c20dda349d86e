package dev.counterpoint.engine.simulated;

import dev.counterpoint.engine.simulated.SkillAnswer.Skill;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;

/// Plans the whole output from the prompt alone, before the first token: the first skill that knows an answer gives it.
final class AnswerPlanner {
    private static final String ASSISTANT = "assistant";
    private static final List<Skill> SKILLS = List.of(
            TextSkills::say,
            TextSkills::count,
            TextSkills::letters,
            new ArithmeticSkill(),
            TalkSkills::recall,
            TalkSkills::smallTalk,
            TalkSkills::fallback);

    private final PromptContent prompt;
    private final SkillAnswer answer;

    /// The output that a generation intends, as marked text, and what it would say instead when a mask forbids that.
    ///
    /// @param opening the header that the prompt has already begun, usually `assistant`
    /// @param line everything after the prompt, to the last stop token
    /// @param alternatives whole messages with their headers, best first; worked out only when they are needed
    /// @param values for the members of JSON, by their keys
    record AnswerPlan(
            String opening, String line, Supplier<List<String>> alternatives, Function<String, JsonValues> values) {}

    /// One value in each JSON type; text is without quotes and not escaped.
    record JsonValues(String text, String number, boolean truth) {}

    private AnswerPlanner(PromptContent prompt) {
        this.prompt = prompt;
        this.answer = answer();
    }

    static AnswerPlan plan(PromptContent prompt) {
        return new AnswerPlanner(prompt).plan();
    }

    private SkillAnswer answer() {
        var results = ToolSkills.results(prompt);
        var call = results == null ? ToolSkills.call(prompt) : results;
        var schema = prompt.schema();
        if (call != null && (call.tool() != null || schema == null)) {
            return call;
        }
        var inWords = results == null ? inWords() : results;
        // Whoever says which object to say wants that one.
        boolean said = ToolSkills.tree(inWords.text()).isObject();
        return schema == null || said ? inWords : SchemaAnswer.of(schema, prompt, inWords);
    }

    private SkillAnswer inWords() {
        return SKILLS.stream()
                .map(skill -> skill.answer(prompt))
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow();
    }

    private AnswerPlan plan() {
        var steps = HarmonyMarkup.plain(String.join("\n\n", ReasoningWriter.steps(prompt, answer)));
        var whole = ASSISTANT + HarmonyMarkup.CHANNEL + "analysis" + HarmonyMarkup.MESSAGE + steps + HarmonyMarkup.END
                + HarmonyMarkup.START + message(answer);
        var alternatives = once(() -> alternatives(whole));
        return new AnswerPlan(prompt.opening(), line(whole, alternatives), alternatives, values());
    }

    /// A whole message, from its author on.
    private String message(SkillAnswer answer) {
        return answer.tool() == null
                ? ASSISTANT + HarmonyMarkup.CHANNEL + "final" + HarmonyMarkup.MESSAGE
                        + HarmonyMarkup.plain(answer.text()) + HarmonyMarkup.RETURN
                : ASSISTANT + HarmonyMarkup.CHANNEL + "commentary to=functions." + answer.tool() + body(answer);
    }

    /// The rest of a call, from its content type on.
    private String body(SkillAnswer call) {
        boolean plain = prompt.tools().stream().anyMatch(tool -> tool.name().equals(call.tool()) && tool.plain());
        var type = plain ? "" : " " + HarmonyMarkup.CONSTRAIN + "json";
        var text = plain ? ToolSkills.tree(call.text()).path(DeclaredTool.INPUT).asText() : call.text();
        return type + HarmonyMarkup.MESSAGE + HarmonyMarkup.plain(text) + HarmonyMarkup.CALL;
    }

    /// The rest after a header that the prompt has begun: of the plan, else of the message that fits, else all anew.
    private String line(String whole, Supplier<List<String>> alternatives) {
        var opening = prompt.opening();
        if (whole.startsWith(opening)) {
            return (opening.isEmpty() ? String.valueOf(HarmonyMarkup.START) : "") + whole.substring(opening.length());
        }
        return alternatives.get().stream()
                .filter(alternative -> alternative.startsWith(opening))
                .findFirst()
                .map(alternative -> alternative.substring(opening.length()))
                .orElse(HarmonyMarkup.END + String.valueOf(HarmonyMarkup.START) + whole);
    }

    private List<String> alternatives(String whole) {
        var messages = new ArrayList<>(List.of(message(answer), whole));
        for (var call : ToolSkills.forced(prompt)) {
            messages.add(message(call));
            // The recipient may stand before the channel, too.
            messages.add(
                    ASSISTANT + " to=functions." + call.tool() + HarmonyMarkup.CHANNEL + "commentary" + body(call));
        }
        messages.add(message(inWords()));
        return messages;
    }

    private Function<String, JsonValues> values() {
        var values = once(() -> new PromptValues(prompt.question()));
        return key -> {
            var text = values.get().text(key, "");
            var number = values.get().number(key);
            var numbers = values.get().numbers();
            number = number == null && !numbers.isEmpty() ? numbers.getFirst() : number;
            return new JsonValues(
                    text == null ? PromptWords.begin(answer.essence(), 8) : text,
                    number == null ? "0" : number.toPlainString(),
                    Boolean.TRUE.equals(values.get().truth(key)));
        };
    }

    /// The value of some work, done when it is first wanted.
    private static <T> Supplier<T> once(Supplier<T> work) {
        var made = new ArrayList<T>(1);
        return () -> {
            if (made.isEmpty()) {
                made.add(work.get());
            }
            return made.getFirst();
        };
    }
}
