package dev.counterpoint.summarizer.write;

import dev.counterpoint.bus.frame.SummarySentence;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The parts of one response's summary that a model has a say in. Until it is decided how a change is told, its
/// place in the log is held; the part that cues alone describe stands there whenever the model's does not. Pure:
/// time and answers come in, prompts go out. Not thread-safe.
public interface ModelParts {
    /// Where parts stand until it is decided how they are told.
    interface Places {
        /// Lets go of a held place.
        ///
        /// @param told null for the part that cues alone describe
        void settle(int place, @Nullable SummarySentence told);
    }

    /// Raw reasoning of any message.
    ///
    /// @param told whether the model thinks here, as opposed to calling a tool
    void reasoned(String text, boolean told);

    /// A change is due at a place, which is held until it is settled.
    ///
    /// @param described the part that cues alone describe
    void changed(int place, SummarySentence described);

    /// The message of reasoning is over. Nothing waits: what is held is described.
    void endMessage();

    /// The log holds the next place, whoever wrote it.
    ///
    /// @param part that stands there; null for the end of a message
    void shown(int place, @Nullable SummarySentence part);

    /// What a model is to be asked now; null for nothing. Settles what has waited for too long.
    ///
    /// @param nowMillis of a clock that only goes forward
    /// @param room whether one more may be asked
    @Nullable
    ModelDraft next(long nowMillis, boolean room);

    /// A model answered. What comes twice, or for a draft that is under way no longer, changes nothing.
    ///
    /// @param number of the draft
    /// @param text null when nothing comes
    void answered(int number, @Nullable String text);

    /// What became of changes since the last call, as words for a metric.
    List<String> outcomes();
}
