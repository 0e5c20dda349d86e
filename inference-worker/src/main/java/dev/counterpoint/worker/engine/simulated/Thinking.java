package dev.counterpoint.worker.engine.simulated;

import dev.counterpoint.harmony.Role;
import java.util.ArrayList;
import java.util.List;

/// Writes the reasoning: steps about the user's own words, more of them the more effort is wanted.
final class Thinking {
    private static final int NOTED_WORDS = 30;

    private Thinking() {}

    /// The steps, in order; each becomes a paragraph.
    static List<String> steps(Situation situation, Answer answer) {
        var steps = new ArrayList<String>();
        var question = Words.begin(situation.question(), 40);
        steps.add(situation.wording().pick("The user asks: “", "What I am asked: “", "The question is: “") + question
                + "”");
        for (var note : situation.notes()) {
            steps.add("Earlier I noted: “" + gist(note) + "” I go on from there.");
        }
        steps.addAll(PassPhrase.steps(situation.question()));
        switch (situation.effort()) {
            case LOW -> steps.add(answer.thoughts().isEmpty() ? "The answer is plain." : last(answer));
            case MEDIUM -> {
                addContext(situation, steps);
                addWords(situation, steps);
                steps.addAll(answer.thoughts());
            }
            case HIGH -> {
                addContext(situation, steps);
                addWords(situation, steps);
                steps.add("Before I answer, I ask myself whether it could mean something"
                        + " else. The plain reading fits best.");
                steps.addAll(answer.thoughts());
                addDoubts(situation, answer, steps);
            }
        }
        return steps;
    }

    /// The beginning of an earlier note after its own quotation of the question, so that quotes do not nest.
    private static String gist(String note) {
        var paragraphs = note.split("\n\n", -1);
        var telling = paragraphs.length > 1 ? paragraphs[paragraphs.length - 1] : paragraphs[0];
        return Words.begin(telling.replace("“", "").replace("”", ""), NOTED_WORDS);
    }

    private static String last(Answer answer) {
        return answer.thoughts().getLast();
    }

    private static void addContext(Situation situation, List<String> steps) {
        if (!situation.instructions().isBlank()) {
            steps.add("My instructions say: “" + Words.begin(situation.instructions(), 20) + "” I keep to them.");
        }
        long turns = situation.earlier().stream()
                .filter(message -> message.author().role() == Role.USER)
                .count();
        if (turns > 0) {
            steps.add("The conversation already has " + turns + (turns == 1 ? " turn" : " turns")
                    + ", and what was said there still counts.");
        }
        if (!situation.tools().isEmpty()) {
            var names =
                    situation.tools().stream().map(DeclaredTool::name).limit(8).toList();
            steps.add("I could call " + Words.join(names) + ".");
        }
    }

    private static void addWords(Situation situation, List<String> steps) {
        var words = Words.content(situation.question());
        steps.add(
                words.isEmpty()
                        ? "There are no telling words in it, so I take it as it stands."
                        : "The words that matter are "
                                + Words.begin(Words.join(words.subList(0, Math.min(8, words.size()))), 24) + ".");
    }

    private static void addDoubts(Situation situation, Answer answer, List<String> steps) {
        steps.add(
                switch (answer.reply()) {
                    case Answer.Reply.Call call ->
                        "I check the arguments of " + call.tool() + " once more against the question: they match.";
                    case Answer.Reply.Say say ->
                        "I check the result once more: “" + Words.begin(say.text(), 12) + "” It holds.";
                });
        steps.add(
                situation.wantsJson()
                        ? "The form matters as much as the content, so I write JSON and nothing around it."
                        : "A short answer serves best, so I leave these thoughts out of it.");
    }
}
