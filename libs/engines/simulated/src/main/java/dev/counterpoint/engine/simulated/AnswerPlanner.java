package dev.counterpoint.engine.simulated;

import dev.counterpoint.engine.simulated.MaskedJson.JsonSource;
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
    /// @param structured whether the answer is to be JSON
    /// @param source of the values of a message that is JSON, by its header
    /// @param seed of what the plan leaves open; 0 for the plainest
    record AnswerPlan(
            String opening,
            String line,
            Supplier<List<String>> alternatives,
            boolean structured,
            Function<String, JsonSource> source,
            long seed) {}

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
        if (call != null && (call.tool() != null || !prompt.structured())) {
            return call;
        }
        var inWords = results == null ? inWords() : results;
        // Whoever says which object to say wants that one.
        boolean said = ToolSkills.tree(inWords.text()).isObject();
        return prompt.structured() && !said ? asJson(inWords) : inWords;
    }

    /// Of the form only the mask knows more, and leads from here.
    private static SkillAnswer asJson(SkillAnswer inWords) {
        var thoughts = new ArrayList<>(List.of("The answer has to be JSON in the form that was given."));
        thoughts.addAll(inWords.thoughts());
        thoughts.add("I copy the values from the prompt where it has them.");
        var object = PromptWords.object().put("answer", inWords.essence());
        return SkillAnswer.say(thoughts, PromptWords.toJson(object), inWords.essence());
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
        return new AnswerPlan(
                prompt.opening(),
                line(whole, alternatives),
                alternatives,
                prompt.structured(),
                this::source,
                prompt.seed());
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

    private JsonSource source(String header) {
        var text = ToolSkills.resultLines(prompt) + prompt.question();
        var arguments = answer.tool() != null && header.contains(answer.tool())
                ? answer.text()
                : ToolSkills.forced(prompt).stream()
                        .filter(call -> header.contains("functions." + call.tool()))
                        .map(SkillAnswer::text)
                        .findFirst()
                        .orElse("");
        return new JsonSource(new PromptValues(text, ToolSkills.tree(arguments)), answer.essence());
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
