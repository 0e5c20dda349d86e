package dev.counterpoint.worker.engine.simulated;

import java.util.ArrayList;
import java.util.List;

/// Plain sentences about a topic, as many as wanted; each next one differs from the ones shortly before.
final class Prose {
    private static final List<String> OPENINGS = List.of(
            "At first glance,",
            "On closer inspection,",
            "In everyday life,",
            "Seen from afar,",
            "With a little patience,",
            "For most people,",
            "Over the years,",
            "In quiet moments,",
            "Strangely enough,",
            "Step by step,",
            "As a rule,");
    private static final List<String> CLAIMS = List.of(
            "the subject of %s is simpler than it seems",
            "there is more to %s than the name says",
            "a second look at %s is never wasted",
            "questions about %s are short and their answers long",
            "one can speak about %s without knowing everything",
            "any story about %s needs a beginning and an end",
            "the thought of %s leaves room for surprise");
    private static final List<String> ENDINGS = List.of(
            "and that is a good place to begin.",
            "which is worth a note in the margin.",
            "so it pays to look again.",
            "though nobody has counted the details.",
            "and the next step follows from it.",
            "as every careful reader will notice.",
            "but only time can tell the rest.",
            "because order helps where memory fails.",
            "and so the story goes on.",
            "which makes it easy to remember.",
            "yet the first impression stays.",
            "and nothing is lost by saying so.",
            "if one takes the time to listen.");

    private final String topic;
    private final int shift;
    private int next;

    Prose(String topic, Wording wording) {
        this.topic = topic;
        this.shift = wording.index(topic.hashCode(), OPENINGS.size() * CLAIMS.size() * ENDINGS.size());
    }

    String sentences(int count, String separator) {
        var sentences = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            sentences.add(sentence());
        }
        return String.join(separator, sentences);
    }

    String paragraphs(int count) {
        var paragraphs = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            paragraphs.add(sentences(4, " "));
        }
        return String.join("\n\n", paragraphs);
    }

    /// Exactly so many words.
    String words(int count) {
        var words = new ArrayList<String>();
        while (words.size() < count) {
            words.addAll(List.of(sentence().split(" ", -1)));
        }
        var kept = words.subList(0, count);
        var text = String.join(" ", kept);
        return text.endsWith(".") ? text : text.replaceFirst("[,;]$", "") + ".";
    }

    /// Periods of 11, 7 and 13 sentences: the same sentence comes back after 1001.
    private String sentence() {
        int number = shift + next++;
        return OPENINGS.get(number % OPENINGS.size()) + " "
                + CLAIMS.get(number % CLAIMS.size()).formatted(topic) + ", "
                + ENDINGS.get(number % ENDINGS.size());
    }
}
