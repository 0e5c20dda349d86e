package dev.counterpoint.gateway.turn;

import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.openai.json.SseFrame;
import java.util.List;
import java.util.Optional;

/// The form that a turn has as events of one API, over one transport.
///
/// @param <E> what a client reads, piece by piece
public interface EventFormat<E> {
    /// The blocks of a piece; none for a piece that this client does not get.
    List<byte[]> blocks(E piece);

    /// True if the pieces before the first output do not wait for it.
    default boolean atOnce() {
        return false;
    }

    /// The error that an ending is when nothing was written yet; empty when a stream can tell it.
    default Optional<Problem> refusal(TurnEnding ending) {
        return Optional.empty();
    }

    /// The block that ends the stream; empty where the last event says so.
    default Optional<byte[]> done() {
        return Optional.of(SseFrame.done());
    }

    /// The blocks after the last piece of a turn, before [#done].
    default List<byte[]> lastWords(TurnEnding ending) {
        return List.of();
    }
}
