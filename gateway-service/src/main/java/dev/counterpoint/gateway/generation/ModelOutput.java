package dev.counterpoint.gateway.generation;

import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.frame.SummaryTier;

/// An output of a model, read from the response's log, opened and in order: the only input of the assemblers. It is a
/// pure function of the frames, so every replica sees the same.
public sealed interface ModelOutput {
    /// More of a message that this gateway may open.
    ///
    /// @param message ordinal of the model's message, from 0
    /// @param reasoning whether it comes from the reasoning lane: raw, for entitled callers only
    record Passage(int message, boolean reasoning, Delta delta) implements ModelOutput {}

    /// More of a message of raw reasoning that this gateway has no key to.
    record Hidden(int message) implements ModelOutput {}

    /// The analysis since the previous one of these, as the client carries it to the next request: all
    /// messages of one reasoning item. Comes after the analysis it holds and before the message that follows. A
    /// turn may have several.
    ///
    /// @param encryptedContent opened by workers only
    record SealedReasoning(String encryptedContent) implements ModelOutput {}

    /// A part of the safe summary, or a piece of one; comes before the message that follows what it sums up.
    ///
    /// @param message ordinal of the message of reasoning that it sums up
    /// @param opensPart whether it begins a new part
    /// @param text to append to the part, spaces included
    /// @param tier how it came about
    record SummarySentence(int message, boolean opensPart, String text, SummaryTier tier) implements ModelOutput {}

    /// The reasoning up to `message` is summed up.
    ///
    /// @param withheld whether nothing could be said of it
    record SummaryEnded(int message, boolean withheld) implements ModelOutput {}

    /// No more summary comes.
    record SummaryAbandoned() implements ModelOutput {}

    /// The user said something meanwhile, for the next response. Makes no event of the response itself.
    ///
    /// @param steer its name
    /// @param input as the client sent it, JSON
    record Steered(long steer, byte[] input) implements ModelOutput {
        /// Says nothing of the content.
        @Override
        public String toString() {
            return "Steered[" + steer + "]";
        }
    }

    /// The model finished; nothing follows.
    record Finished(End end) implements ModelOutput {}

    /// The owner ended it; nothing follows.
    record Stopped(OwnerEnd.Reason reason) implements ModelOutput {}

    /// True if nothing follows.
    default boolean isLast() {
        return this instanceof Finished || this instanceof Stopped;
    }
}
