package dev.counterpoint.engine.http;

import dev.counterpoint.engine.testkit.AgentTraces;
import dev.counterpoint.engine.testkit.PromptCache;
import dev.counterpoint.engine.testkit.ServerPace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;

/// Agents before eight servers, in simulated time. Says which part of all prompt tokens was found computed, and how
/// long the first token took. The same for the same traces.
final class RoutingSimulation {
    static final int SERVERS = 8;

    /// Chooses a server.
    interface Policy {
        int choose(PromptPrefix prompt, int[] prompted, int[] loads);
    }

    /// @param warm part of the prompts' tokens
    /// @param meanSeconds to the first token
    /// @param p99Seconds to the first token
    record Result(double warm, double meanSeconds, double p99Seconds) {}

    private record Next(double at, Conversation of) {}

    private static final class Conversation {
        private final String salt;
        private final Iterator<AgentTraces.Turn> turns;
        private int[] prompt;

        private Conversation(AgentTraces traces, AgentTraces.Conversation of) {
            salt = "tenant-" + of.agent();
            prompt = traces.prompts().get(of.agent());
            turns = of.turns().iterator();
        }
    }

    private final Policy policy;
    private final ServerPace pace;
    private final PromptCache[] caches = new PromptCache[SERVERS];
    private final double[] prefilledAt = new double[SERVERS];
    private final List<Deque<Double>> ends = new ArrayList<>();
    private final PriorityQueue<Next> turns = new PriorityQueue<>(Comparator.comparingDouble(Next::at));
    private final List<Double> waits = new ArrayList<>();
    private long prompted;
    private long found;

    private RoutingSimulation(Policy policy, ServerPace pace, boolean sharedCache) {
        this.policy = policy;
        this.pace = pace;
        var shared = new PromptCache(SERVERS * pace.cacheTokens());
        for (int server = 0; server < SERVERS; server++) {
            caches[server] = sharedCache ? shared : new PromptCache(pace.cacheTokens());
            ends.add(new ArrayDeque<>());
        }
    }

    /// @param sharedCache whether all servers have what one has: the best possible
    static Result run(Policy policy, AgentTraces traces, ServerPace pace, boolean sharedCache) {
        return new RoutingSimulation(policy, pace, sharedCache).run(traces);
    }

    private Result run(AgentTraces traces) {
        traces.conversations().forEach(each -> turns.add(new Next(each.atSecond(), new Conversation(traces, each))));
        while (!turns.isEmpty()) {
            take(turns.poll());
        }
        var sorted = waits.stream().sorted().toList();
        return new Result(
                (double) found / prompted,
                waits.stream().mapToDouble(Double::doubleValue).average().orElse(0),
                sorted.get(sorted.size() * 99 / 100));
    }

    private void take(Next next) {
        var conversation = next.of;
        var turn = conversation.turns.next();
        var tokens = join(conversation.prompt, turn.said());
        var prompt = PromptPrefix.of(conversation.salt, tokens);
        int server = policy.choose(prompt, tokens, loads(next.at));
        int warm = caches[server].use(conversation.salt, tokens);
        prompted += tokens.length;
        found += warm;
        double first = Math.max(next.at, prefilledAt[server]) + pace.promptSeconds(tokens.length, warm);
        prefilledAt[server] = first;
        waits.add(first - next.at);
        double end = first + turn.output() * pace.tokenSeconds(ends.get(server).size());
        ends.get(server).add(end);
        // The answer, which no other turn's is like.
        conversation.prompt = Arrays.copyOf(tokens, tokens.length + turn.output());
        if (conversation.turns.hasNext()) {
            turns.add(new Next(end + turn.pauseSeconds(), conversation));
        }
    }

    private int[] loads(double now) {
        return ends.stream()
                .mapToInt(running -> {
                    running.removeIf(end -> end <= now);
                    return running.size();
                })
                .toArray();
    }

    private static int[] join(int[] one, int[] other) {
        int[] joined = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, joined, one.length, other.length);
        return joined;
    }
}
