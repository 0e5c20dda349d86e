package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.gateway.generation.Replays;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;

/// Turns that are read again from their logs, whichever gateway runs or ran them. Thread-safe.
@ApplicationScoped
public class ReplayedTurns {
    private final Replays replays;
    private final RawAccessRecorder shown;
    private final RowEndings endings;

    @Inject
    ReplayedTurns(Replays replays, RawAccessRecorder shown, RowEndings endings) {
        this.replays = replays;
        this.shown = shown;
        this.endings = endings;
    }

    /// Makes something of a replay.
    ///
    /// @param <T> what is made
    @FunctionalInterface
    public interface Use<T> {
        /// Empty where the replay is not to be read.
        Optional<T> of(Replays.Replay replay) throws InterruptedException;
    }

    /// As [Replays#open]; the replay's place is given back where nothing is made of it.
    public <T> Optional<T> open(ResponseId id, long atMostMillis, Use<T> use) throws InterruptedException {
        var replay = replays.open(id, atMostMillis);
        Optional<T> made = Optional.empty();
        try {
            made = use.of(replay);
            return made;
        } finally {
            if (made.isEmpty()) {
                replay.close();
            }
        }
    }

    /// Puts on the access log that raw reasoning is read again, before its first byte.
    ///
    /// @param key id of the API key that reads it
    public void recordRawReading(Replays.Replay replay, String key) throws InterruptedException {
        shown.again(replay.id(), key, replay.accepted().tenant()).await();
    }

    /// Waits until the row of a turn says how the turn ended, but not for longer than whoever runs the turn waits.
    public void awaitRow(String row, String tenant) {
        try {
            var _ = endings.await(row, tenant, TurnRows.WAIT_MAX);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
