package dev.counterpoint.gateway.log;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where in a partition replays are read for, of which one may have begun long ago and another be at the end. Read from
/// the oldest on, one stretch serves all; by turns with whoever has waited longest, so that nobody starves. Not
/// thread-safe.
final class ReplayPlace {
    /// To read on costs less than to jump.
    private static final int READS_AT_A_PLACE = 4;

    private static final long NOWHERE = -1;

    private long position = NOWHERE;
    private @Nullable ReplayFeed chosen;
    private int readsLeft;
    private long turn;

    /// Chooses for whom to read next.
    ///
    /// @return whether the reader has to jump to [#position]
    boolean choose(List<ReplayFeed> hungry) {
        var next = chosen;
        if (next == null || readsLeft == 0 || !hungry.contains(next)) {
            turn++;
            readsLeft = READS_AT_A_PLACE;
            next = hungry.stream()
                    .min(
                            turn % 2 == 0
                                    ? Comparator.comparingLong(feed -> feed.servedAt)
                                    : Comparator.comparingLong(ReplayFeed::next))
                    .orElseThrow();
            chosen = next;
        }
        readsLeft--;
        long wanted = next.next();
        boolean jumps = wanted != position;
        position = wanted;
        return jumps;
    }

    /// Offset of the next record.
    long position() {
        return position;
    }

    /// All before this offset was read, for these.
    void readTo(long end, List<ReplayFeed> served) {
        if (end == position) {
            readsLeft = 0;
        }
        position = end;
        served.forEach(feed -> feed.servedAt = turn);
    }
}
