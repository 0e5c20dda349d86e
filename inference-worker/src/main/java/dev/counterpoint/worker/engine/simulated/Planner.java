package dev.counterpoint.worker.engine.simulated;

import dev.counterpoint.harmony.HarmonyTokenizer;
import dev.counterpoint.worker.engine.simulated.Answer.Reply;
import dev.counterpoint.worker.engine.simulated.Outline.JsonValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Decides the whole output from the prompt alone, before the first token.
final class Planner {
    private static final String ASSISTANT = "assistant";
    private static final String ANALYSIS = MarkedText.CHANNEL + "analysis" + MarkedText.MESSAGE;
    private static final String FINAL = MarkedText.CHANNEL + "final" + MarkedText.MESSAGE;
    /// Tools beyond these are not tried when a mask forces a call that the question does not suggest.
    private static final int FORCED_MAX = 128;

    private static final List<Skill> IN_WORDS = List.of(
            new Echo(),
            new LongText(),
            new Counting(),
            new WordWork(),
            new Arithmetic(),
            new Comparing(),
            new Summary(),
            new Extraction(),
            new Recall());
    private static final List<Skill> TALK = List.of(new Acknowledgement(), new Greeting(), new Fallback());
    private static final Skill TOOL_USE = new ToolUse();
    private static final Skill TOOL_RESULTS = new ToolResults(TOOL_USE);
    private static final Skill STRUCTURED = new StructuredAnswer(Planner::skilled);

    private Planner() {}

    static Script script(HarmonyTokenizer tokenizer, Situation situation) {
        return new Script(tokenizer, outline(situation));
    }

    static Answer answer(Situation situation) {
        var results = TOOL_RESULTS.answer(situation);
        var call = results == null ? TOOL_USE.answer(situation) : results;
        if (call != null && call.reply() instanceof Reply.Call) {
            return call;
        }
        var structured = STRUCTURED.answer(situation);
        if (structured != null) {
            return structured;
        }
        return call == null ? inWords(situation) : call;
    }

    /// The answer without calling a tool.
    private static Answer inWords(Situation situation) {
        var skilled = skilled(situation);
        return skilled == null ? first(TALK, situation).orElseThrow() : skilled;
    }

    private static @Nullable Answer skilled(Situation situation) {
        var results = TOOL_RESULTS.answer(situation);
        if (results != null && results.reply() instanceof Reply.Say) {
            return results;
        }
        return first(IN_WORDS, situation).orElse(null);
    }

    private static Optional<Answer> first(List<Skill> skills, Situation situation) {
        for (var skill : skills) {
            var answer = skill.answer(situation);
            if (answer != null) {
                return Optional.of(answer);
            }
        }
        return Optional.empty();
    }

    static Outline outline(Situation situation) {
        var answer = answer(situation);
        var thoughts = analysis(Thinking.steps(situation, answer));
        var reply = reply(situation, answer.reply());
        var whole = ASSISTANT + thoughts + MarkedText.START + ASSISTANT + reply;
        var opening = situation.opening();
        var alternatives = once(() -> alternatives(situation, answer, whole));
        return new Outline(opening, line(opening, whole, alternatives), alternatives, values(situation, answer));
    }

    private static String analysis(List<String> steps) {
        return ANALYSIS + MarkedText.plain(String.join("\n\n", steps)) + MarkedText.END;
    }

    private static String reply(Situation situation, Reply reply) {
        return switch (reply) {
            case Reply.Say(var text) ->
                FINAL
                        + MarkedText.plain(situation.wantsJson() ? text : Style.apply(situation.instructions(), text))
                        + MarkedText.RETURN;
            case Reply.Call(var tool, var arguments) -> call(tool, arguments);
        };
    }

    private static String call(String tool, String arguments) {
        return MarkedText.CHANNEL + "commentary to=functions." + MarkedText.plain(tool) + " " + MarkedText.CONSTRAIN
                + "json" + MarkedText.MESSAGE + MarkedText.plain(arguments) + MarkedText.CALL;
    }

    /// What to say after a header that the prompt has begun: the plan, else the message that fits, else all
    /// of it anew.
    private static String line(String opening, String whole, Supplier<List<String>> alternatives) {
        if (whole.startsWith(opening)) {
            return (opening.isEmpty() ? String.valueOf(MarkedText.START) : "") + whole.substring(opening.length());
        }
        for (var alternative : alternatives.get()) {
            if (alternative.startsWith(opening)) {
                return alternative.substring(opening.length());
            }
        }
        return MarkedText.END + String.valueOf(MarkedText.START) + whole;
    }

    private static List<String> alternatives(Situation situation, Answer answer, String whole) {
        var messages = new ArrayList<String>();
        messages.add(ASSISTANT + reply(situation, answer.reply()));
        messages.add(whole);
        var forced = ToolUse.forced(situation);
        for (var call : forced.subList(0, Math.min(FORCED_MAX, forced.size()))) {
            messages.add(ASSISTANT + call(call.tool(), call.arguments()));
            messages.add(ASSISTANT + " to=functions." + MarkedText.plain(call.tool()) + MarkedText.CHANNEL
                    + "commentary " + MarkedText.CONSTRAIN + "json" + MarkedText.MESSAGE
                    + MarkedText.plain(call.arguments()) + MarkedText.CALL);
        }
        var inWords = inWords(situation);
        messages.add(ASSISTANT + reply(situation, inWords.reply()));
        var json = Json.write(Json.NODES.objectNode().put("answer", inWords.text()));
        messages.add(ASSISTANT + FINAL + MarkedText.plain(json) + MarkedText.RETURN);
        return messages;
    }

    private static Function<String, JsonValues> values(Situation situation, Answer answer) {
        var facts = once(() -> FactFinder.find(situation.question()));
        return key -> {
            var filler = new Filler(facts.get(), answer);
            var text = filler.find(new Shape.Field(key, new Shape.Text(null), true, "", null), 0);
            var number = filler.find(new Shape.Field(key, new Shape.Numeric(true, null, null), true, "", null), 0);
            var truth = filler.find(new Shape.Field(key, new Shape.Truth(), true, "", null), 0);
            return new JsonValues(
                    text == null ? Words.begin(answer.essence(), 8) : text.asText(),
                    number == null ? "0" : number.asText(),
                    truth != null && truth.asBoolean());
        };
    }

    /// Worked out when first asked for. A generation belongs to one thread at a time, so this needs no lock.
    private static <T> Supplier<T> once(Supplier<T> work) {
        return new Supplier<>() {
            private final List<T> made = new ArrayList<>(1);

            @Override
            public T get() {
                if (made.isEmpty()) {
                    made.add(work.get());
                }
                return made.getFirst();
            }
        };
    }
}
