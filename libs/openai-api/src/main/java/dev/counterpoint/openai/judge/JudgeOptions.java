package dev.counterpoint.openai.judge;

import org.jspecify.annotations.Nullable;

/// What is known of a stream before it comes.
///
/// @param api whose stream it is; [Api#EITHER] leaves it to the first event
/// @param startingAfter number of the last event that the reader has already, as in `starting_after`; -1 for none. What
///     such a stream tells of items that opened before is taken on trust
/// @param doneRequired whether `[DONE]` must be there; OpenAI's own Responses streams have none
/// @param includeUsage for Chat, whether the request asked for usage; null when that is not known
public record JudgeOptions(
        Api api,
        long startingAfter,
        boolean doneRequired,
        @Nullable Boolean includeUsage) {
    /// A whole stream of either API.
    public static final JudgeOptions DEFAULT = new JudgeOptions(Api.EITHER, -1, true, null);

    /// The APIs that stream.
    public enum Api {
        RESPONSES,
        CHAT,
        EITHER
    }

    /// @throws IllegalArgumentException below -1
    public JudgeOptions {
        if (startingAfter < -1) {
            throw new IllegalArgumentException("startingAfter is -1 or the number of an event, not " + startingAfter);
        }
    }

    public JudgeOptions of(Api whose) {
        return new JudgeOptions(whose, startingAfter, doneRequired, includeUsage);
    }

    public JudgeOptions startingAfter(long number) {
        return new JudgeOptions(api, number, doneRequired, includeUsage);
    }

    public JudgeOptions withoutDone() {
        return new JudgeOptions(api, startingAfter, false, includeUsage);
    }

    public JudgeOptions includeUsage(boolean asked) {
        return new JudgeOptions(api, startingAfter, doneRequired, asked);
    }

    /// Whether the stream begins with its beginning.
    boolean whole() {
        return startingAfter < 0;
    }
}
