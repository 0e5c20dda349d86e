package dev.counterpoint.summarizer.judge;

import dev.counterpoint.summarizer.judge.Verdict.Release;
import dev.counterpoint.summarizer.judge.Verdict.Withhold;
import dev.counterpoint.summarizer.segment.Segment;
import dev.counterpoint.summarizer.segment.Segmenter;
import java.util.ArrayList;

/// What a judge lets through of a whole piece of reasoning, without parts and headings.
final class Judged {
    private Judged() {}

    static String shown(DisclosurePolicy judge, String reasoning) {
        var segments = new ArrayList<Segment>();
        var segmenter = new Segmenter(segments::add);
        segmenter.accept(reasoning);
        segmenter.end();
        var verdicts = new ArrayList<Verdict>();
        for (var segment : segments) {
            var verdict = judge.judge(segment);
            if (verdict instanceof Withhold(int before)) {
                for (int i = Math.max(0, verdicts.size() - before); i < verdicts.size(); i++) {
                    verdicts.set(i, verdict);
                }
            }
            verdicts.add(verdict);
        }
        var shown = new StringBuilder();
        for (var verdict : verdicts) {
            if (verdict instanceof Release release && judge.admits(release)) {
                shown.append(shown.isEmpty() ? "" : " ").append(release.text());
            }
        }
        return shown.toString();
    }
}
