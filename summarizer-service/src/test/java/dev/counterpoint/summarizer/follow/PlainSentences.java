package dev.counterpoint.summarizer.follow;

import dev.counterpoint.bus.frame.SummarySentence;
import dev.counterpoint.bus.frame.SummaryTier;
import java.util.ArrayList;
import java.util.List;

/// Says everything, sentence by sentence, but those that hold "secret"; breaks where the text holds "boom" or
/// "abyss".
final class PlainSentences implements SentenceSource {
    private final StringBuilder held = new StringBuilder();
    private boolean opensPart = true;

    @Override
    public List<SummarySentence> accept(String text, long atMillis) {
        var sentences = new ArrayList<SummarySentence>();
        for (char c : text.toCharArray()) {
            held.append(c);
            if (c == '.') {
                sentences.addAll(release());
            }
        }
        return sentences;
    }

    @Override
    public List<SummarySentence> endMessage(long atMillis) {
        var rest = release();
        opensPart = true;
        return rest;
    }

    @Override
    public String language() {
        return "en";
    }

    private List<SummarySentence> release() {
        var text = held.toString();
        held.setLength(0);
        if (text.contains("boom")) {
            throw new IllegalArgumentException(text);
        }
        if (text.contains("abyss")) {
            throw new StackOverflowError();
        }
        if (text.isBlank() || text.contains("secret")) {
            return List.of();
        }
        var sentence = new SummarySentence(opensPart, text, SummaryTier.DESCRIBED);
        opensPart = false;
        return List.of(sentence);
    }
}
