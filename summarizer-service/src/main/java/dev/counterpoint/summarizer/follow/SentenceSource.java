package dev.counterpoint.summarizer.follow;

import dev.counterpoint.bus.frame.SummarySentence;
import dev.counterpoint.bus.job.SummaryJob;
import java.util.List;

/// Makes safe sentences of one response's reasoning. A pure function of the text: whoever reads the same log says the
/// same, however the text was cut into pieces. Not thread-safe.
interface SentenceSource {
    /// Takes more of the current analysis message.
    ///
    /// @return the sentences that may leave now
    List<SummarySentence> accept(String text);

    /// The analysis message is over; the next text begins another.
    ///
    /// @return what was held back and may leave
    List<SummarySentence> endMessage();

    /// Begins the summary of a response.
    interface Factory {
        SentenceSource begin(SummaryJob job);
    }
}
