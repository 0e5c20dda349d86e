package dev.counterpoint.validator;

import org.jspecify.annotations.Nullable;

/// The known facts about a stream before it starts.
///
/// @param api API of the stream; [Api#EITHER] leaves the choice to the first event
/// @param startingAfter number of the last event that the reader already has, as in `starting_after`; -1 for none.
///     The validator trusts such a stream about items that opened before
/// @param doneRequired whether `[DONE]` must be there; OpenAI's own Responses streams have none
/// @param includeUsage for Chat, whether the request asked for usage; null when that is not known
public record ValidatorOptions(
        Api api,
        long startingAfter,
        boolean doneRequired,
        @Nullable Boolean includeUsage) {
    /// A whole stream of either API.
    public static final ValidatorOptions DEFAULT = new ValidatorOptions(Api.EITHER, -1, true, null);

    /// The APIs that stream.
    public enum Api {
        RESPONSES,
        CHAT,
        EITHER
    }

    /// @throws IllegalArgumentException below -1
    public ValidatorOptions {
        if (startingAfter < -1) {
            throw new IllegalArgumentException("startingAfter is -1 or the number of an event, not " + startingAfter);
        }
    }

    public ValidatorOptions of(Api whose) {
        return new ValidatorOptions(whose, startingAfter, doneRequired, includeUsage);
    }

    public ValidatorOptions startingAfter(long number) {
        return new ValidatorOptions(api, number, doneRequired, includeUsage);
    }

    public ValidatorOptions withoutDone() {
        return new ValidatorOptions(api, startingAfter, false, includeUsage);
    }

    public ValidatorOptions includeUsage(boolean asked) {
        return new ValidatorOptions(api, startingAfter, doneRequired, asked);
    }

    /// Whether the stream begins with its beginning.
    boolean whole() {
        return startingAfter < 0;
    }
}
