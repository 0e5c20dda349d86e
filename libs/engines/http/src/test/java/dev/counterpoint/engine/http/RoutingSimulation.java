package dev.counterpoint.engine.http;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;

/// Agents before eight servers, in simulated time: each conversation begins with the long prompt of its kind of agent
/// and
/// grows from turn to turn. Says which part of all prompt tokens was found computed, and how long the first token took.
/// The same for the same seed.
///
/// A server computes prompts one after another, [#PREFILL_PER_SECOND] tokens that it does not have in a second, and
/// keeps what was used last. Outputs run beside each other and slow each other down a little.
final class RoutingSimulation {
    static final int SERVERS = 8;
    private static final int PREFILL_PER_SECOND = 25_000;
    private static final int CACHE_BLOCKS = 600_000 / PromptPrefix.BLOCK_TOKENS;
    private static final double TOKEN_SECONDS = 0.008;
    private static final double TOKEN_SECONDS_BESIDE = 0.0001;

    /// Chooses a server.
    interface Policy {
        int choose(PromptPrefix prompt, int[] prompted, int[] loads);
    }

    /// @param warm part of the prompts' tokens
    /// @param meanSeconds to the first token
    /// @param p99Seconds to the first token
    record Result(double warm, double meanSeconds, double p99Seconds) {}

    /// @param agents kinds of agents, each with a prompt of its own
    /// @param perSecond conversations that begin in a second
    record Load(int agents, double perSecond, int conversations) {}

    private record Turn(double at, Conversation of) {}

    private static final class Conversation {
        private final String salt;
        private int[] prompt;
        private int turnsLeft;

        private Conversation(String salt, int[] prompt, int turns) {
            this.salt = salt;
            this.prompt = prompt;
            turnsLeft = turns;
        }
    }

    /// One server, or one cache that all share.
    private static final class Cache {
        private final Map<Long, Boolean> blocks;

        private Cache(int max) {
            blocks = new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
                    return size() > max;
                }
            };
        }

        /// @return tokens that were there
        private int use(PromptPrefix prompt) {
            int warm = 0;
            while (warm < prompt.blocks() && blocks.containsKey(prompt.hashes()[warm])) {
                warm++;
            }
            for (int block = prompt.blocks() - 1; block >= 0; block--) {
                blocks.put(prompt.hashes()[block], true);
            }
            return warm * PromptPrefix.BLOCK_TOKENS;
        }
    }

    private final Random random;
    private final Policy policy;
    private final Cache[] caches = new Cache[SERVERS];
    private final double[] prefilledAt = new double[SERVERS];
    private final List<Deque<Double>> ends = new ArrayList<>();
    private final PriorityQueue<Turn> turns = new PriorityQueue<>(Comparator.comparingDouble(Turn::at));
    private final List<Double> waits = new ArrayList<>();
    private long prompted;
    private long found;

    private RoutingSimulation(Policy policy, long seed, boolean sharedCache) {
        this.policy = policy;
        random = new Random(seed);
        var shared = new Cache(SERVERS * CACHE_BLOCKS);
        for (int server = 0; server < SERVERS; server++) {
            caches[server] = sharedCache ? shared : new Cache(CACHE_BLOCKS);
            ends.add(new ArrayDeque<>());
        }
    }

    /// @param sharedCache whether all servers have what one has: the best possible
    static Result run(Policy policy, Load load, long seed, boolean sharedCache) {
        return new RoutingSimulation(policy, seed, sharedCache).run(load);
    }

    private Result run(Load load) {
        var agents = new int[load.agents][];
        for (int agent = 0; agent < agents.length; agent++) {
            agents[agent] = tokens(4_000 + random.nextInt(12_000));
        }
        double at = 0;
        for (int i = 0; i < load.conversations; i++) {
            at += -Math.log(1 - random.nextDouble()) / load.perSecond;
            int agent = random.nextInt(agents.length);
            turns.add(new Turn(at, new Conversation("tenant-" + agent, agents[agent], 3 + random.nextInt(15))));
        }
        while (!turns.isEmpty()) {
            take(turns.poll());
        }
        var sorted = waits.stream().sorted().toList();
        return new Result(
                (double) found / prompted,
                waits.stream().mapToDouble(Double::doubleValue).average().orElse(0),
                sorted.get(sorted.size() * 99 / 100));
    }

    private void take(Turn turn) {
        var conversation = turn.of;
        conversation.prompt = join(conversation.prompt, tokens(100 + random.nextInt(2_000)));
        var prompt = PromptPrefix.of(conversation.salt, conversation.prompt);
        int server = policy.choose(prompt, conversation.prompt, loads(turn.at));
        int warm = caches[server].use(prompt);
        prompted += conversation.prompt.length;
        found += warm;
        double begun = Math.max(turn.at, prefilledAt[server]);
        double first = begun + (double) (conversation.prompt.length - warm) / PREFILL_PER_SECOND;
        prefilledAt[server] = first;
        waits.add(first - turn.at);
        int output = 50 + random.nextInt(400);
        double end = first
                + output
                        * (TOKEN_SECONDS
                                + TOKEN_SECONDS_BESIDE * ends.get(server).size());
        ends.get(server).add(end);
        conversation.turnsLeft--;
        if (conversation.turnsLeft > 0) {
            turns.add(new Turn(end + 0.2 + 5 * random.nextDouble(), conversation));
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

    private int[] tokens(int count) {
        return random.ints(count, 0, 200_000).toArray();
    }

    private static int[] join(int[] one, int[] other) {
        int[] joined = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, joined, one.length, other.length);
        return joined;
    }
}
