package dev.counterpoint.gateway.turn;

import dev.counterpoint.gateway.generation.ModelOutput;
import java.util.List;
import java.util.Optional;

/// Turns what the model says into what a client reads. Pure; not thread-safe.
///
/// @param <E> what a client reads, piece by piece
public interface TurnAssembler<E> {
    /// The pieces before the first output.
    List<E> begin();

    /// The pieces that the next output makes.
    ///
    /// @throws IllegalStateException after the end
    List<E> accept(ModelOutput next);

    /// The ending; empty before the end.
    Optional<TurnEnding> ending();
}
