package dev.counterpoint.engine.http;

import java.util.LinkedHashMap;
import java.util.Map;

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
    /// As many servers as a node can tell apart; what is beyond is chosen by load.
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
        double limit = limit(loads);
        var choice = new Choice(prompt, warmBlocks(prompt, loads.length), loads);
        int best = -1;
        for (int server = 0; server < loads.length; server++) {
            boolean may = loads[server] >= 0 && loads[server] <= limit;
            if (may && (best < 0 || isBetter(server, best, choice))) {
                best = server;
            }
        }
        if (best >= 0) {
            remember(prompt, best);
        }
        return best;
    }

    /// The least loaded is below it always.
    private static double limit(int[] loads) {
        int servers = 0;
        int all = 0;
        for (int load : loads) {
            servers += load >= 0 ? 1 : 0;
            all += Math.max(0, load);
        }
        return servers == 0 ? 0 : LOAD_LIMIT * all / servers + EXTRA_LOAD;
    }

    /// @param warm for each server, blocks of the prompt that it has
    private record Choice(PromptPrefix prompt, int[] warm, int[] loads) {}

    private boolean isBetter(int server, int than, Choice choice) {
        int[] warm = choice.warm;
        int[] loads = choice.loads;
        if (warm[server] != warm[than]) {
            return warm[server] > warm[than];
        }
        // Nobody has it: whoever else meets this beginning chooses alike. Some have it: the one with less to do.
        if (warm[server] > 0 && loads[server] != loads[than]) {
            return loads[server] < loads[than];
        }
        if (choice.prompt.blocks() == 0) {
            return loads[server] < loads[than];
        }
        long beginning = choice.prompt.hashes()[Math.min(warm[server], choice.prompt.blocks() - 1)];
        return weight(beginning, server) > weight(beginning, than);
    }

    /// Rendezvous hashing: when a server goes or comes, no prompt moves between the others.
    private long weight(long beginning, int server) {
        return PromptPrefix.mix(beginning ^ PromptPrefix.mix(names[server]));
    }

    /// For each server, how many blocks from the prompt's beginning it got before.
    private int[] warmBlocks(PromptPrefix prompt, int servers) {
        var warm = new int[servers];
        long still = -1;
        for (int block = 0; block < prompt.blocks() && still != 0; block++) {
            still &= holders.getOrDefault(prompt.hashes()[block], 0L);
            for (int server = 0; server < Math.min(servers, SERVERS_MAX); server++) {
                warm[server] += (int) ((still >>> server) & 1);
            }
        }
        return warm;
    }

    private void remember(PromptPrefix prompt, int server) {
        if (server < SERVERS_MAX) {
            // The end first: what is remembered last is forgotten last, and no beginning before what follows it.
            for (int block = prompt.blocks() - 1; block >= 0; block--) {
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
