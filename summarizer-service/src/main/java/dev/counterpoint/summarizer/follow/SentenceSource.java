package dev.counterpoint.summarizer.follow;

import dev.counterpoint.bus.frame.SummarySentence;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.summarizer.write.ModelParts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes the summary of one response's reasoning. A pure function of the text and of its times in the log: all
/// readers of the same log make the same summary. Not thread-safe.
interface SentenceSource {
    /// Takes more of the current analysis message.
    ///
    /// @param atMillis when the log took it, in milliseconds since 1970
    /// @return what is due now
    List<SummarySentence> accept(String text, long atMillis);

    /// The analysis message is over; the next text begins another.
    ///
    /// @return what is due now
    List<SummarySentence> endMessage(long atMillis);

    /// The language of the summary, as in BCP 47: one of few.
    String language();

    /// Begins the summary of a response.
    interface Factory {
        SentenceSource begin(SummaryJob job);

        /// Begins the model's parts in the summary of the same response.
        ///
        /// @param model whose reasoning is summed up
        /// @param places of the parts
        /// @return null where no model is asked
        default @Nullable ModelParts byModel(SummaryJob job, String model, ModelParts.Places places) {
            return null;
        }
    }
}
