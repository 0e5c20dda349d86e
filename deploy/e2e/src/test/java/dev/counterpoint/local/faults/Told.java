package dev.counterpoint.local.faults;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.End;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// What the log says of one response, opened.
///
/// @param id of the response
/// @param accepted body of frame 0
/// @param request number of the [AskedQuestion]; 0 for none
/// @param segments what each worker said while it had the floor, in order
/// @param messages of the model, in order
/// @param sentences of the summary, in order
/// @param status null while it runs
/// @param end what the worker said it used; null where no worker ended it
record Told(
        ResponseId id,
        Accepted accepted,
        int request,
        List<Segment> segments,
        List<Message> messages,
        List<Sentence> sentences,
        @Nullable Status status,
        @Nullable End end) {
    Told {
        segments = List.copyOf(segments);
        messages = List.copyOf(messages);
        sentences = List.copyOf(sentences);
    }

    /// As the APIs name it.
    enum Status {
        COMPLETED,
        INCOMPLETE,
        FAILED,
        CANCELLED;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        boolean answered() {
            return this == COMPLETED || this == INCOMPLETE;
        }
    }

    /// @param attempt that the fence was for
    /// @param tokens that its worker published
    record Segment(int attempt, long nonce, int[] tokens) {}

    /// @param reasoning whether it stands in the reasoning lane
    /// @param function the called function; null for text
    /// @param tokens how many
    record Message(boolean reasoning, @Nullable String function, String text, int tokens) {}

    /// @param opensPart whether it begins a new part of the summary
    record Sentence(boolean opensPart, String text) {}

    /// Everything that the model said.
    int[] tokens() {
        return segments.stream()
                .flatMapToInt(segment -> IntStream.of(segment.tokens()))
                .toArray();
    }

    boolean ended() {
        return status != null;
    }

    @Override
    public String toString() {
        return "%s (request %d, %d attempts, %s)".formatted(id, request, segments.size(), status);
    }
}
