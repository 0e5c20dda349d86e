package dev.counterpoint.gateway.log.owner;

import dev.counterpoint.gateway.log.follow.FollowedResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// Whose turn it is among the responses of a model that lost a worker before their first token. One at a time is given
/// to a worker. So one that kills workers does not take the second worker of others with it, and the keys of those are
/// not refused for it. The turn ends with the first token or with the response, or after a while. Confined to the
/// following loop.
final class SuspectTurns {
    private final long turnMillis;
    private final Map<String, Turn> turns = new HashMap<>();

    private record Turn(FollowedResponse response, long untilMillis) {
        boolean lasts(long nowMillis) {
            boolean open = !response.reader.ended() && !response.losses().streaming();
            return open && nowMillis < untilMillis;
        }
    }

    /// @param turn the longest one
    SuspectTurns(Duration turn) {
        turnMillis = turn.toMillis();
    }

    /// @return whether it is this response's turn, from now on
    boolean take(FollowedResponse response, long nowMillis) {
        var model = response.accepted.model();
        var now = turns.get(model);
        if (now != null && now.response != response && now.lasts(nowMillis)) {
            return false;
        }
        turns.put(model, new Turn(response, nowMillis + turnMillis));
        return true;
    }
}
