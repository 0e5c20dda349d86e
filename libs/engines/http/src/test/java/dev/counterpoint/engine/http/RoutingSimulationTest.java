package dev.counterpoint.engine.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.testkit.AgentTraces;
import dev.counterpoint.engine.testkit.ServerPace;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The router beside others, under [AgentTraces]. Its tables stand in docs/engines.md; the small loads go through the
/// whole suite, too: see `AgentsBench` of deploy/local.
class RoutingSimulationTest {
    private static final Logger LOG = LoggerFactory.getLogger(RoutingSimulationTest.class);
    private static final long SEED = 24;
    private static final String BEST = "best possible";
    private static final AgentTraces.Load MANY_AGENTS = new AgentTraces.Load(40, 4, 600, AgentTraces.Sizes.USUAL);
    private static final AgentTraces.Load ONE_AGENT = new AgentTraces.Load(1, 4, 600, AgentTraces.Sizes.USUAL);

    private static RoutingSimulation.Policy random() {
        var random = new Random(7);
        return (_, _, loads) -> random.nextInt(loads.length);
    }

    private static RoutingSimulation.Policy roundRobin() {
        var next = new int[1];
        return (_, _, loads) -> next[0]++ % loads.length;
    }

    private static int leastLoaded(int[] loads) {
        return IntStream.range(0, loads.length).reduce(0, (a, b) -> loads[b] < loads[a] ? b : a);
    }

    /// What was here before: the first 256 tokens decide, unless that server has four requests more than another.
    private static RoutingSimulation.Policy firstTokens() {
        return (_, prompt, loads) -> {
            long key = Arrays.hashCode(Arrays.copyOf(prompt, Math.min(prompt.length, 256)));
            int least = Arrays.stream(loads).min().orElse(0);
            return IntStream.range(0, loads.length)
                    .filter(server -> loads[server] <= least + 4)
                    .reduce((a, b) ->
                            PromptPrefix.mix(key ^ PromptPrefix.mix(b)) > PromptPrefix.mix(key ^ PromptPrefix.mix(a))
                                    ? b
                                    : a)
                    .orElse(0);
        };
    }

    private static RoutingSimulation.Policy ours() {
        var router = new PrefixRouter(
                PrefixRouter.NODES_MAX,
                IntStream.range(0, RoutingSimulation.SERVERS).asLongStream().toArray());
        return (prompt, _, loads) -> router.choose(prompt, loads);
    }

    private static RoutingSimulation.Result run(
            String name, RoutingSimulation.Policy policy, AgentTraces traces, ServerPace pace) {
        var result = RoutingSimulation.run(policy, traces, pace, name.equals(BEST));
        LOG.info(
                "{} agents={} conversations={} warm={}% mean={}s p99={}s",
                name,
                traces.prompts().size(),
                traces.conversations().size(),
                Math.round(result.warm() * 1000) / 10.0,
                Math.round(result.meanSeconds() * 1000) / 1000.0,
                Math.round(result.p99Seconds() * 1000) / 1000.0);
        return result;
    }

    private static void compare(AgentTraces.Load load, ServerPace pace) {
        var traces = AgentTraces.of(load, SEED);
        var random = run("random", random(), traces, pace);
        var roundRobin = run("round robin", roundRobin(), traces, pace);
        var before = run("first 256 tokens", firstTokens(), traces, pace);
        var ours = run("prefix tree", ours(), traces, pace);
        var best = run(BEST, (_, _, loads) -> leastLoaded(loads), traces, pace);

        assertThat(ours.warm())
                .isGreaterThan(random.warm())
                .isGreaterThan(roundRobin.warm())
                .isGreaterThan(before.warm())
                .isGreaterThan(0.85 * best.warm());
        assertThat(ours.p99Seconds())
                .isLessThan(random.p99Seconds())
                .isLessThan(roundRobin.p99Seconds())
                .isLessThan(before.p99Seconds());
    }

    @Test
    void agentsOfManyKindsFindTheirPromptsWarmAndWaitLess() {
        compare(MANY_AGENTS, ServerPace.USUAL);
        compare(AgentTraces.Load.small(16), ServerPace.SMALL);
    }

    @Test
    void conversationsBehindOneLongPromptFindTheirTurnsWarmAndWaitLess() {
        compare(ONE_AGENT, ServerPace.USUAL);
        compare(AgentTraces.Load.small(1), ServerPace.SMALL);
    }
}
