package dev.counterpoint.engine.testkit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;

/// Agents before eight servers, in simulated time. The same figures for the same traces and rule.
public final class RoutingSimulation {
    public static final int SERVERS = 8;

    private record Next(double at, Conversation of) {}

    private static final class Conversation {
        private final String salt;
        private final Iterator<AgentTraces.Turn> turns;
        private int[] prompt;

        private Conversation(AgentTraces traces, AgentTraces.Conversation of) {
            salt = AgentTraces.salt(of.agent());
            prompt = traces.prompts().get(of.agent());
            turns = of.turns().iterator();
        }
    }

    private final RoutingRule rule;
    private final ServerPace pace;
    private final PromptCache[] caches = new PromptCache[SERVERS];
    private final double[] prefilledAt = new double[SERVERS];
    private final List<Deque<Double>> ends = new ArrayList<>();
    private final PriorityQueue<Next> turns = new PriorityQueue<>(Comparator.comparingDouble(Next::at));
    private final RoutingFigures figures = new RoutingFigures(SERVERS);

    private RoutingSimulation(RoutingRule rule, ServerPace pace, boolean sharedCache) {
        this.rule = rule;
        this.pace = pace;
        var shared = new PromptCache(SERVERS * pace.cacheTokens());
        for (int server = 0; server < SERVERS; server++) {
            caches[server] = sharedCache ? shared : new PromptCache(pace.cacheTokens());
            ends.add(new ArrayDeque<>());
        }
    }

    /// @param sharedCache whether all servers have what one has: the best possible
    public static RoutingFigures run(RoutingRule rule, AgentTraces traces, ServerPace pace, boolean sharedCache) {
        return new RoutingSimulation(rule, pace, sharedCache).run(traces);
    }

    private RoutingFigures run(AgentTraces traces) {
        traces.conversations().forEach(each -> turns.add(new Next(each.atSecond(), new Conversation(traces, each))));
        while (!turns.isEmpty()) {
            take(turns.poll());
        }
        return figures;
    }

    private void take(Next next) {
        var conversation = next.of;
        var turn = conversation.turns.next();
        var tokens = AgentTraces.join(conversation.prompt, turn.said());
        int server = rule.choose(conversation.salt, tokens, loads(next.at));
        int warm = caches[server].use(conversation.salt, tokens);
        double first = Math.max(next.at, prefilledAt[server]) + pace.promptSeconds(tokens.length, warm);
        prefilledAt[server] = first;
        figures.add(server, tokens.length, warm, first - next.at);
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
}
