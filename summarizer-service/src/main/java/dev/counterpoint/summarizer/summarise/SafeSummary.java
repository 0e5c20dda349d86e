package dev.counterpoint.summarizer.summarise;

import dev.counterpoint.summarizer.judge.DisclosurePolicy;
import dev.counterpoint.summarizer.judge.Verdict;
import dev.counterpoint.summarizer.judge.Verdict.Release;
import dev.counterpoint.summarizer.judge.Verdict.Withhold;
import dev.counterpoint.summarizer.segment.Segment;
import dev.counterpoint.summarizer.segment.Segmenter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/// Raw reasoning in, a safe extractive summary out; one per response. Pure: the same text gives the same sentences, in
/// whatever pieces it comes, and a sentence once given is never taken back. Not thread-safe.
///
/// Memory is bounded by the confidential texts and a window of [DisclosurePolicy#REACH] sentences.
public final class SafeSummary {
    private final DisclosurePolicy judge;
    private final SummaryParts parts;
    private final Segmenter segmenter = new Segmenter(this::take);
    private final Deque<Held> held = new ArrayDeque<>();
    private List<Sentence> released = new ArrayList<>();
    private boolean paragraph;

    public SafeSummary(Confidential confidential, Detail detail) {
        judge = new DisclosurePolicy(confidential.texts(), confidential.userText());
        parts = new SummaryParts(judge, detail);
    }

    /// More of the current analysis message, in any pieces. Returns what became safe to show by it.
    public List<Sentence> accept(String text) {
        segmenter.accept(text);
        return drain();
    }

    /// The analysis message is over: whatever is held back is decided now.
    public List<Sentence> endMessage() {
        segmenter.end();
        while (!held.isEmpty()) {
            release(held.removeFirst());
        }
        parts.endMessage();
        return drain();
    }

    private void take(Segment segment) {
        var verdict = judge.judge(segment);
        held.addLast(new Held(verdict, segment.startsParagraph()));
        if (verdict instanceof Withhold withhold) {
            silence(withhold.before());
        }
        if (held.size() > DisclosurePolicy.REACH) {
            release(held.removeFirst());
        }
    }

    private void silence(int before) {
        Iterator<Held> backwards = held.descendingIterator();
        for (int i = 0; i <= before && backwards.hasNext(); i++) {
            backwards.next().withheld = true;
        }
    }

    private void release(Held sentence) {
        paragraph |= sentence.startsParagraph;
        if (sentence.verdict instanceof Release release && !sentence.withheld) {
            parts.add(release, paragraph).ifPresent(released::add);
            paragraph = false;
        }
    }

    private List<Sentence> drain() {
        if (released.isEmpty()) {
            return List.of();
        }
        var drained = List.copyOf(released);
        released = new ArrayList<>();
        return drained;
    }

    private static final class Held {
        private final Verdict verdict;
        private final boolean startsParagraph;
        private boolean withheld;

        private Held(Verdict verdict, boolean startsParagraph) {
            this.verdict = verdict;
            this.startsParagraph = startsParagraph;
        }
    }
}
