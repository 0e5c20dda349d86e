package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.gateway.stream.Replays;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

/// Turns that are read again from their logs, whichever gateway runs or ran them. Thread-safe.
@ApplicationScoped
public class ReplayedTurns {
    private final Replays replays;
    private final RawShown shown;
    private final RowEndings endings;

    @Inject
    ReplayedTurns(Replays replays, RawShown shown, RowEndings endings) {
        this.replays = replays;
        this.shown = shown;
        this.endings = endings;
    }

    /// As [Replays#open].
    public Replays.Replay open(ResponseId id, long atMostMillis) throws InterruptedException {
        return replays.open(id, atMostMillis);
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
