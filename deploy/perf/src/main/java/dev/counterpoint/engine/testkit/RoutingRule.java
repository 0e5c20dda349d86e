package dev.counterpoint.engine.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/// Chooses one of several servers for a request.
@FunctionalInterface
public interface RoutingRule {
    /// @param salt under which servers keep the prompt
    /// @param loads requests that each server has
    int choose(String salt, int[] prompt, int[] loads);

    static RoutingRule random(long seed) {
        var random = new Random(seed);
        return (_, _, loads) -> random.nextInt(loads.length);
    }

    static RoutingRule roundRobin() {
        var next = new int[1];
        return (_, _, loads) -> next[0]++ % loads.length;
    }

    /// Equals take turns, as in most load balancers.
    static RoutingRule leastLoaded() {
        var next = new int[1];
        return (_, _, loads) -> {
            int from = next[0]++;
            return IntStream.range(from, from + loads.length)
                    .map(server -> server % loads.length)
                    .reduce((a, b) -> loads[b] < loads[a] ? b : a)
                    .orElseThrow();
        };
    }

    /// What workers did before they had a tree of prompts: the first 256 tokens decide, unless that server has four
    /// requests more than another.
    static RoutingRule firstTokens() {
        return (_, prompt, loads) -> {
            long key = Arrays.hashCode(Arrays.copyOf(prompt, Math.min(prompt.length, 256)));
            int least = Arrays.stream(loads).min().orElseThrow();
            return IntStream.range(0, loads.length)
                    .filter(server -> loads[server] <= least + 4)
                    .reduce((a, b) -> weight(key, b) > weight(key, a) ? b : a)
                    .orElseThrow();
        };
    }

    /// What gateways do: all turns of a conversation go to the server that a hash of its first turn ranks first among
    /// those with little more than the mean load. Gateways that know nothing of each other agree.
    ///
    /// @param traces the conversations whose turns it is asked for
    static RoutingRule byConversation(AgentTraces traces) {
        var beginnings = new HashMap<String, List<int[]>>();
        for (var each : traces.conversations()) {
            beginnings
                    .computeIfAbsent(AgentTraces.salt(each.agent()), _ -> new ArrayList<>())
                    .add(AgentTraces.join(
                            traces.prompts().get(each.agent()),
                            each.turns().getFirst().said()));
        }
        return (salt, prompt, loads) -> {
            int first = beginnings.getOrDefault(salt, List.of()).stream()
                    .filter(beginning -> beginning.length <= prompt.length
                            && Arrays.equals(beginning, 0, beginning.length, prompt, 0, beginning.length))
                    .mapToInt(Arrays::hashCode)
                    .findFirst()
                    .orElseThrow();
            long key = first * 31L + salt.hashCode();
            double limit = 1.25 * Arrays.stream(loads).average().orElse(0) + 2;
            return IntStream.range(0, loads.length)
                    .filter(server -> loads[server] <= limit)
                    .reduce((a, b) -> mix(key ^ mix(b + 1)) > mix(key ^ mix(a + 1)) ? b : a)
                    .orElseThrow();
        };
    }

    private static long mix(long bits) {
        long mixed = (bits ^ bits >>> 32) * 0x9E37_79B9_7F4A_7C15L;
        return mixed ^ mixed >>> 32;
    }

    private static long weight(long key, int server) {
        return new Random(key * 31 + server).nextLong();
    }
}
