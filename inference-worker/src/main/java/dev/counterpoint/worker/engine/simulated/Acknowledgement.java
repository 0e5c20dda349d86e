package dev.counterpoint.worker.engine.simulated;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A statement instead of a question: says what was heard, so that [Recall] can find it again.
final class Acknowledgement implements Skill {
    private static final int WORDS_MAX = 60;

    @Override
    public @Nullable Answer answer(Situation situation) {
        var statement = situation.question().strip();
        if (statement.endsWith("?") || Words.all(statement).size() > WORDS_MAX || Expression.find(statement) != null) {
            return null;
        }
        var known = Recall.learn(statement);
        if (known.isEmpty()) {
            return null;
        }
        var sentences = new ArrayList<String>();
        known.forEach((key, value) -> sentences.add(Recall.sentence(key, value)));
        return Answer.say(
                List.of(
                        "The user tells me something and asks nothing.",
                        "I keep in mind: " + String.join(" ", sentences)),
                "Noted. " + String.join(" ", sentences),
                sentences.getFirst());
    }
}
