package dev.counterpoint.summarizer.follow;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.draft.DraftId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/// The drafts that this replica waits for, a bounded number of them. A draft that its response no longer needs
/// counts until it arrives or times out, because a worker still writes it. After several unanswered drafts the
/// round pauses, so that parts do not wait for absent workers. Not thread-safe.
final class DraftRound {
    static final int UNANSWERED_MAX = 4;
    static final long PAUSE_MILLIS = 30_000;

    private final DraftDesk desk;
    private final int max;
    private final LongSupplier clockMillis;
    private final Map<DraftId, Asked> asked = new HashMap<>();

    private int unanswered;
    private long pausedUntilMillis = Long.MIN_VALUE;

    /// @param number of the draft in its response
    private record Asked(ResponseId response, SummaryRun run, int number, long giveUpMillis) {}

    /// @param max drafts that are waited for at once
    /// @param clockMillis goes forward only
    DraftRound(DraftDesk desk, int max, LongSupplier clockMillis) {
        this.desk = desk;
        this.max = max;
        this.clockMillis = clockMillis;
    }

    /// Requests the draft that a response needs now, if the limit allows one more.
    void ask(ResponseId response, SummaryRun run) {
        long now = clockMillis.getAsLong();
        var draft = run.draft(now, asked.size() < max && now >= pausedUntilMillis);
        if (draft == null) {
            return;
        }
        var id = desk.ask(response, draft);
        if (id == null) {
            run.drafted(draft.number(), null);
        } else {
            asked.put(id, new Asked(response, run, draft.number(), now + draft.withinMillis()));
        }
    }

    /// Gives drafts that came to their responses, and forgets what did not come in time.
    ///
    /// @return the responses that can go on
    Set<ResponseId> take() {
        var moved = new HashSet<ResponseId>();
        for (var draft = desk.next(); draft != null; draft = desk.next()) {
            unanswered = 0;
            var it = asked.remove(draft.id());
            if (it != null) {
                it.run.drafted(it.number, draft.text());
                moved.add(it.response);
            }
        }
        long now = clockMillis.getAsLong();
        asked.values().removeIf(it -> {
            boolean late = now >= it.giveUpMillis;
            if (late) {
                moved.add(it.response);
                unanswered(now);
            }
            return late;
        });
        return moved;
    }

    /// After the pause one draft more without an answer is enough for the next one.
    private void unanswered(long now) {
        if (++unanswered >= UNANSWERED_MAX) {
            unanswered = UNANSWERED_MAX - 1;
            pausedUntilMillis = now + PAUSE_MILLIS;
        }
    }

    /// True while no draft is pending.
    boolean idle() {
        return asked.isEmpty();
    }
}
