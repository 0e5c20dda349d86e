package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.wire.Numbered;
/// The kinds of frames. Their numbers are on the wire and never change.

public enum FrameKind implements Numbered {
    /// A kind of a newer version; readers pass over it.
    UNKNOWN,
    /// Frame 0, by the gateway: [Accepted]. Opens attempt 1.
    ACCEPTED,
    /// By the owner, with an empty body. Opens the attempt of its number, if that is the next one.
    REISSUE,
    /// By a worker that took the job: [Fence]. The first of the current attempt wins.
    FENCE,
    /// By the holder, counted: [Delta].
    DELTA,
    /// By the holder, counted: the turn's analysis, sealed for the next turn.
    SEALED_REASONING,
    /// By the holder, not counted: the engine is at work.
    PROGRESS,
    /// By the holder, not counted: it gives the attempt up.
    HANDOVER,
    /// By the holder: [End]; its `seq` is the count of what it sent.
    END,
    /// By the owner, for what no worker ends: [OwnerEnd].
    OWNER_END,
    /// By the summarizer: [SummarySentence]. Its `seq` is its place among the summary's frames; the first at a place
    /// wins.
    SUMMARY,
    /// By the summarizer, at a place like `SUMMARY`: [SummaryEnd]. The reasoning up to its `message` is summed up.
    SUMMARY_END,
    /// By the owner: no more summary comes.
    SUMMARY_ABANDONED,
    /// By a gateway: input of the user for the next response, sealed to gateways. Its `nonce` is its name; the first
    /// copy counts, until the end. A worker that reads it ends with [End.Finish#STEERED] as soon as it may.
    STEER
}
