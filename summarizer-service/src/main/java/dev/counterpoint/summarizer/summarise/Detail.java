package dev.counterpoint.summarizer.summarise;

/// The share of the reasoning that is summarised. Every detail shows safe sentences only.
public enum Detail {
    AUTO(4, 16, 8_000),
    CONCISE(1, 4, 1_000),
    DETAILED(12, 64, 32_000);

    /// Sentences of one part.
    final int sentencesMax;
    /// Parts of one response.
    final int partsMax;
    /// Characters of one response, headings included.
    final int lengthMax;

    Detail(int sentencesMax, int partsMax, int lengthMax) {
        this.sentencesMax = sentencesMax;
        this.partsMax = partsMax;
        this.lengthMax = lengthMax;
    }
}
