package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.wire.Numbered;

/// How a summary came about. Positions are on the wire and never change.
public enum SummaryTier implements Numbered {
    /// An older summarizer wrote it and does not say, or a newer one by a tier that this reader does not know.
    UNNAMED,
    /// Chosen from a small schema and rendered from templates: no word of the reasoning is in it.
    DESCRIBED,
    /// Written by a model that saw the reasoning, and judged before it was shown.
    WRITTEN,
    /// As described, but a model that saw the reasoning chose from the schema.
    DECIDED
}
