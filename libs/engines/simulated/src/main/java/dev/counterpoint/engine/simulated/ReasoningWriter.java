package dev.counterpoint.engine.simulated;

import dev.counterpoint.harmony.model.ReasoningEffort;
import java.util.ArrayList;
import java.util.List;

/// Writes the reasoning: steps about the user's own words, more of them the more effort is wanted.
final class ReasoningWriter {
    private static final int NOTES_MAX = 8;
    private static final int NAMES_MAX = 8;

    private ReasoningWriter() {}

    /// The steps, in order; each becomes a paragraph.
    static List<String> steps(PromptContent prompt, SkillAnswer answer) {
        var steps = new ArrayList<String>();
        var opening = prompt.pick("The user asks: “", "What I am asked: “", "The question is: “");
        steps.add(opening + PromptWords.begin(prompt.question(), 40) + "”");
        prompt.notes().reversed().stream()
                .limit(NOTES_MAX)
                .forEach(note -> steps.add("Earlier I noted: “" + gist(note) + "” I go on from there."));
        steps.addAll(PassPhrase.steps(prompt.question()));
        if (prompt.effort() == ReasoningEffort.LOW) {
            steps.add(answer.thoughts().getLast());
            return steps;
        }
        addContext(prompt, steps);
        if (prompt.effort() == ReasoningEffort.MEDIUM) {
            steps.addAll(answer.thoughts());
            return steps;
        }
        steps.add("Before I answer, I ask myself whether it could mean something else. The plain reading fits best.");
        steps.addAll(answer.thoughts());
        steps.add(
                answer.tool() == null
                        ? "I check the result once more: “" + PromptWords.begin(answer.text(), 12) + "” It holds."
                        : "I check the arguments of " + answer.tool() + " once more against the question: they match.");
        steps.add("A short answer serves best, so I leave these thoughts out of it.");
        return steps;
    }

    /// The last step of an earlier note, without its own quotations, so that quotes do not nest.
    private static String gist(String note) {
        var last = note.substring(note.lastIndexOf("\n\n") + 1);
        return PromptWords.begin(last.replace("“", "").replace("”", ""), 30);
    }

    private static void addContext(PromptContent prompt, List<String> steps) {
        if (!prompt.instructions().isBlank()) {
            steps.add("My instructions say: “" + PromptWords.begin(prompt.instructions(), 20) + "” I keep to them.");
        }
        int turns = prompt.earlierQuestions().size();
        if (turns > 0) {
            var many = turns + (turns == 1 ? " turn" : " turns");
            steps.add("The conversation already has " + many + ", and what was said there still counts.");
        }
        if (!prompt.tools().isEmpty()) {
            var names = prompt.tools().stream().map(DeclaredTool::name).limit(NAMES_MAX);
            steps.add("I could call " + PromptWords.join(names.toList()) + ".");
        }
        var words = PromptWords.content(prompt.question());
        var telling = PromptWords.join(words.subList(0, Math.min(NAMES_MAX, words.size())));
        steps.add(
                words.isEmpty()
                        ? "There are no telling words in it, so I take it as it stands."
                        : "The words that matter are " + PromptWords.begin(telling, 24) + ".");
    }
}
