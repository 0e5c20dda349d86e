package dev.counterpoint.summarizer.summarise;

/// The number of parts that a summary has. Each message of reasoning has at least one, whatever the detail.
public enum Detail {
    AUTO(300, 4_000, 15_000, 256),
    CONCISE(1_500, 15_000, 30_000, 64),
    DETAILED(80, 1_000, 15_000, 512);

    /// Characters of reasoning after which a change is told. Grows with the parts: see [SummaryRhythm].
    final int characters;
    /// Milliseconds after which a change is told where a model writes slowly. Grows likewise.
    final int pauseMillis;
    /// Milliseconds after which something is told although nothing changed.
    final int beatMillis;
    /// Parts of one message. No reasoning that is over before the deadline of its response gets so far: the growing
    /// distances spread the parts over any length.
    final int partsMax;

    Detail(int characters, int pauseMillis, int beatMillis, int partsMax) {
        this.characters = characters;
        this.pauseMillis = pauseMillis;
        this.beatMillis = beatMillis;
        this.partsMax = partsMax;
    }
}
