package dev.counterpoint.gateway.turn;

import dev.counterpoint.gateway.problem.Problem;
import java.util.List;
import java.util.Optional;

/// The form that a turn has as server-sent events of one API.
///
/// @param <E> what a client reads, piece by piece
public interface EventFormat<E> {
    /// The SSE blocks of a piece; none for a piece that this client does not get.
    List<byte[]> blocks(E piece);

    /// True if the pieces before the first output do not wait for it.
    default boolean atOnce() {
        return false;
    }

    /// The error that an ending is when nothing was written yet; empty when a stream can tell it.
    default Optional<Problem> refusal(TurnEnding ending) {
        return Optional.empty();
    }

    /// The blocks after the last piece of a turn, before `[DONE]`.
    default List<byte[]> lastWords(TurnEnding ending) {
        return List.of();
    }
}
