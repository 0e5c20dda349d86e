package dev.counterpoint.worker.engine.simulated;

import java.util.HashMap;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Shortens a text to the one of its sentences that shares most words with the others.
final class Summary implements Skill {
    private static final Pattern ASKED = Pattern.compile(
            "(?is)^\\W*(?:please |can you |could you ){0,8}(?:summari[sz]e|shorten|tl;?dr|give (?:me )?a summary of"
                    + "|sum up)\\b[^:\\n]{0,80}[:\\n]\\s*(.+)$");

    @Override
    public @Nullable Answer answer(Situation situation) {
        var asked = ASKED.matcher(situation.question());
        if (!asked.find()) {
            return null;
        }
        var sentences = Words.sentences(asked.group(1));
        var best = mostCentral(sentences);
        return Answer.say(
                List.of(
                        "The text has " + sentences.size() + (sentences.size() == 1 ? " sentence." : " sentences."),
                        "The one that shares most words with the others is: “" + Words.begin(best, 30) + "”"),
                best);
    }

    private static String mostCentral(List<String> sentences) {
        var uses = new HashMap<String, Integer>();
        for (var sentence : sentences) {
            for (var word : Words.content(sentence)) {
                uses.merge(Words.stem(word), 1, Integer::sum);
            }
        }
        var best = sentences.getFirst();
        int bestScore = -1;
        for (var sentence : sentences) {
            int score = 0;
            for (var word : Words.content(sentence)) {
                score += uses.getOrDefault(Words.stem(word), 0) - 1;
            }
            if (score > bestScore) {
                best = sentence;
                bestScore = score;
            }
        }
        return best;
    }
}
