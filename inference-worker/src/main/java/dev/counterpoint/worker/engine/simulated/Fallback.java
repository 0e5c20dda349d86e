package dev.counterpoint.worker.engine.simulated;

import java.util.ArrayList;
import java.util.List;

/// What can honestly be said when no other skill fits. Always answers.
final class Fallback implements Skill {
    private static final int TOPICS_MAX = 8;

    @Override
    public Answer answer(Situation situation) {
        var question = situation.question();
        var words = Words.topics(question);
        var topics = words.subList(0, Math.min(TOPICS_MAX, words.size()));
        var about = topics.isEmpty() ? "that" : Words.begin(Words.join(topics), 24);
        var thoughts = new ArrayList<String>();
        thoughts.add("The question turns on " + about + ".");
        thoughts.add("That needs knowledge of the world, and I am a simulated engine that has none.");
        var facts = FactFinder.find(question);
        var given = new ArrayList<String>(facts.names());
        given.addAll(facts.places());
        given.addAll(facts.dates());
        facts.numbers().forEach(number -> given.add(number.toPlainString()));
        var text = new StringBuilder(situation
                .wording()
                .pick(
                        "You asked about " + about + ".",
                        "Your question is about " + about + ".",
                        "This is about " + about + "."));
        text.append(
                " I am a simulated engine without knowledge of the world, so I can only work with what you tell me.");
        if (!given.isEmpty()) {
            thoughts.add("What it does give me: " + Words.begin(Words.join(given), 40) + ".");
            text.append(" From your words I take ")
                    .append(Words.begin(Words.join(given), 40))
                    .append('.');
        }
        text.append(" Ask me to calculate, count, sort, extract values or call one of your tools, and I can do more.");
        return Answer.say(thoughts, text.toString(), about);
    }

    /// What to ask for when a tool needs a value that the user did not give.
    static Answer ask(DeclaredTool tool, List<String> missing) {
        var names = missing.stream()
                .map(name -> String.join(" ", Words.ofIdentifier(name)))
                .toList();
        return Answer.say(
                List.of(
                        "The tool " + tool.name() + " would help, but it needs " + Words.join(names) + ".",
                        "Nothing in the question fits, so I ask instead of guessing."),
                "To answer that I need to know the " + Words.join(names) + ". Which should I use?");
    }
}
