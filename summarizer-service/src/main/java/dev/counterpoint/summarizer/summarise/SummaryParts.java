package dev.counterpoint.summarizer.summarise;

import dev.counterpoint.summarizer.judge.DisclosurePolicy;
import dev.counterpoint.summarizer.judge.Verdict.Release;
import java.util.Optional;

/// Gathers released sentences into headed parts of bounded size and number. Not thread-safe.
final class SummaryParts {
    /// A part with this many sentences ends at the next paragraph; one with fewer goes on.
    private static final int SENTENCES_MIN = 3;
    /// A paragraph without end gets a new part after so many sentences more than a part may hold.
    private static final int SKIPPED_MAX = 12;

    private final DisclosurePolicy judge;
    private final Detail detail;
    private int parts;
    private int sentences;
    private int skipped;
    private int length;
    private boolean open;

    SummaryParts(DisclosurePolicy judge, Detail detail) {
        this.judge = judge;
        this.detail = detail;
    }

    void endMessage() {
        open = false;
    }

    Optional<Sentence> add(Release release, boolean startsParagraph) {
        if (open
                && (startsParagraph && sentences >= Math.min(SENTENCES_MIN, detail.sentencesMax)
                        || skipped >= SKIPPED_MAX)) {
            open = false;
        }
        if (open && sentences >= detail.sentencesMax) {
            skipped++;
            return Optional.empty();
        }
        var text = open
                ? " " + release.text()
                : "**" + Headings.of(release.text(), release.words()) + "**\n\n" + release.text();
        boolean hasRoom = (open || parts < detail.partsMax) && length + text.length() <= detail.lengthMax;
        if (!hasRoom || !judge.admits(release)) {
            return Optional.empty();
        }
        boolean opensPart = !open;
        parts += opensPart ? 1 : 0;
        sentences = opensPart ? 1 : sentences + 1;
        skipped = 0;
        length += text.length();
        open = true;
        return Optional.of(new Sentence(opensPart, text));
    }
}
