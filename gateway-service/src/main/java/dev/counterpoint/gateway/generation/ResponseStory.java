package dev.counterpoint.gateway.generation;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The history of one response, without content. Times are milliseconds since 1970 by the broker's clock; null means
/// not
/// (yet) or unknown.
///
/// @param gateway the process that accepted it
/// @param ending how it ended: the engine's word such as `stop`, or the owner's such as `cancelled`
/// @param ticketsResent tickets that an owner sent again; null where only the log was read, which has no tickets
/// @param voidFrames frames that every reader ignores, such as those of a worker that lost the response
@JsonInclude(JsonInclude.Include.ALWAYS)
public record ResponseStory(
        String tenant,
        String key,
        String model,
        String gateway,
        String band,
        boolean background,
        boolean stored,
        boolean rawReasoning,
        boolean audited,
        long acceptedAtMs,
        long deadlineAtMs,
        @Nullable String ending,
        @Nullable Long endedAtMs,
        List<Attempt> attempts,
        @Nullable Integer ticketsResent,
        int losingFences,
        int voidFrames,
        int steers,
        @Nullable Tokens tokens,
        @Nullable Summary summary) {
    /// One attempt to answer.
    ///
    /// @param worker the process that won its fence
    /// @param outcome `queued`, `running`, `handed_over`, `lost`, `ended`, or `stopped` by an owner
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Attempt(
            int number,
            long openedAtMs,
            @Nullable String worker,
            @Nullable Long fencedAtMs,
            @Nullable Long firstReasoningAtMs,
            @Nullable Long firstTextAtMs,
            @Nullable Long closedAtMs,
            int reasoningFrames,
            int textFrames,
            String outcome) {}

    /// Tokens by lane, as the engine counted them. `text` is what is left of the output without the reasoning.
    public record Tokens(long input, long cached, long reasoning, long text) {}

    /// @param outcome `pending`, `complete`, `withheld` or `abandoned`
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Summary(
            int parts,
            int sentences,
            @Nullable String tier,
            @Nullable Long firstAtMs,
            @Nullable Long closedAtMs,
            String outcome) {}
}
