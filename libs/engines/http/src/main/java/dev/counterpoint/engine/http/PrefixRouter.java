package dev.counterpoint.engine.http;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;

/// Which of several servers a request goes to: the one that has most of its prompt computed, as far as its load
/// allows.
///
/// What servers have is guessed from what went to them: a tree of prompts, whose nodes are hashes of their beginnings
/// ([PromptPrefix]), each with the servers that got it. The tree forgets what was not used for longest; without it, a
/// request goes where all workers would send its beginning. So its loss costs one prefill for each prompt, and two
/// workers agree about prompts that neither has seen. Not thread-safe.
public final class PrefixRouter {
    /// Beginnings that are remembered: at 128 tokens each eight millions of tokens, and about as many bytes.
    public static final int NODES_MAX = 65_536;
    /// A server gets no more than this part of the mean load of all, and [#EXTRA_LOAD] requests on top.
    static final double LOAD_LIMIT = 1.25;

    static final int EXTRA_LOAD = 2;
    /// The maximum number of servers that a node distinguishes; the router chooses further servers by load.
    private static final int SERVERS_MAX = Long.SIZE;

    private final int nodesMax;
    /// By which all workers know the servers.
    private final long[] names;
    /// The servers that got a beginning, as bits.
    private final Map<Long, Long> holders = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
            return size() > nodesMax;
        }
    };

    /// @param nodesMax beginnings that are remembered
    /// @param names a number for each server, by which all workers know it
    public PrefixRouter(int nodesMax, long... names) {
        this.nodesMax = nodesMax;
        this.names = names.clone();
    }

    /// Chooses a server and remembers that the prompt goes there.
    ///
    /// @param loads requests that run in each server; negative for one that must not be chosen
    /// @return -1 when none may be chosen
    public int choose(PromptPrefix prompt, int[] loads) {
        // The least loaded is below it always.
        double limit = LOAD_LIMIT
                        * IntStream.of(loads)
                                .filter(load -> load >= 0)
                                .average()
                                .orElse(0)
                + EXTRA_LOAD;
        int[] warm = warmBlocks(prompt, loads.length);
        boolean isShort = prompt.hashes().length == 0;
        // Of servers that have equally much of it the less loaded one. Where none has any, a hash of the beginning
        // decides, so that every router chooses alike.
        var best = IntStream.range(0, loads.length)
                .filter(server -> loads[server] >= 0 && loads[server] <= limit)
                .boxed()
                .max(Comparator.<Integer>comparingInt(server -> warm[server])
                        .thenComparingInt(server -> warm[server] > 0 || isShort ? -loads[server] : 0)
                        .thenComparingLong(server -> isShort ? 0 : weight(prompt, warm[server], server)));
        best.ifPresent(server -> remember(prompt, server));
        return best.orElse(-1);
    }

    /// Rendezvous hashing: when a server goes or comes, no prompt moves between the others.
    private long weight(PromptPrefix prompt, int warm, int server) {
        long beginning = prompt.hashes()[Math.min(warm, prompt.hashes().length - 1)];
        return PromptPrefix.mix(beginning ^ PromptPrefix.mix(names[server]));
    }

    /// For each server, how many blocks from the prompt's beginning it got before.
    private int[] warmBlocks(PromptPrefix prompt, int servers) {
        var warm = new int[servers];
        long still = -1;
        for (int block = 0; block < prompt.hashes().length && still != 0; block++) {
            still &= holders.getOrDefault(prompt.hashes()[block], 0L);
            for (int server = 0; server < Math.min(servers, SERVERS_MAX); server++) {
                warm[server] += (int) ((still >>> server) & 1);
            }
        }
        return warm;
    }

    private void remember(PromptPrefix prompt, int server) {
        if (server < SERVERS_MAX) {
            // From the end to the start: the newest entries are forgotten last, so no block is forgotten before the
            // blocks after it.
            for (int block = prompt.hashes().length - 1; block >= 0; block--) {
                holders.merge(prompt.hashes()[block], 1L << server, (had, more) -> had | more);
            }
        }
    }

    /// The server has lost what it had.
    void forget(int server) {
        if (server < SERVERS_MAX) {
            holders.replaceAll((_, had) -> had & ~(1L << server));
        }
    }

    int nodes() {
        return holders.size();
    }
}
