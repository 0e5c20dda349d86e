package dev.counterpoint.engine.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.testkit.AgentTraces;
import dev.counterpoint.engine.testkit.RoutingFigures;
import dev.counterpoint.engine.testkit.RoutingRule;
import dev.counterpoint.engine.testkit.RoutingSimulation;
import dev.counterpoint.engine.testkit.ServerPace;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The router beside others, under [AgentTraces]. Its figures are in deploy/perf/README.md; the small traces go through the
/// whole suite, too: see `AgentsBench`.
class RoutingSimulationTest {
    private static final Logger LOG = LoggerFactory.getLogger(RoutingSimulationTest.class);
    private static final long SEED = 24;

    /// One load before servers, by one rule after the other.
    private record Comparison(AgentTraces traces, ServerPace pace) {
        static Comparison of(AgentTraces.Load load, ServerPace pace) {
            return new Comparison(AgentTraces.of(load, SEED), pace);
        }

        RoutingFigures run(String name, RoutingRule rule) {
            return run(name, rule, false);
        }

        RoutingFigures best() {
            return run("best possible", RoutingRule.leastLoaded(), true);
        }

        /// By rules that know no prompts.
        List<RoutingFigures> blind() {
            return List.of(
                    run("random", RoutingRule.random(7)),
                    run("round robin", RoutingRule.roundRobin()),
                    run("least loaded", RoutingRule.leastLoaded()));
        }

        private RoutingFigures run(String name, RoutingRule rule, boolean sharedCache) {
            var figures = RoutingSimulation.run(rule, traces, pace, sharedCache);
            LOG.info(String.format(
                    Locale.ROOT,
                    "%s agents=%d turns=%d warm=%.1f%% mean=%.2fs p50=%.2fs p99=%.2fs requests=%.2f computed=%.2f",
                    name,
                    traces.prompts().size(),
                    figures.requests(),
                    100 * figures.warm(),
                    figures.meanSeconds(),
                    figures.seconds(50),
                    figures.seconds(99),
                    figures.mostRequests(),
                    figures.mostComputed()));
            return figures;
        }
    }

    private static RoutingRule ours() {
        var router = new PrefixRouter(
                PrefixRouter.NODES_MAX,
                LongStream.range(0, RoutingSimulation.SERVERS).toArray());
        return (salt, prompt, loads) -> router.choose(PromptPrefix.of(salt, prompt), loads);
    }

    /// Warmer than rules that know no prompts, and sooner in most turns.
    private static void isWarmer(RoutingFigures ours, List<RoutingFigures> others) {
        assertThat(others).allSatisfy(other -> {
            assertThat(ours.warm()).isGreaterThan(other.warm());
            assertThat(ours.seconds(50)).isLessThan(other.seconds(50));
        });
    }

    private static void isSoonerInTheWorstTurns(RoutingFigures ours, List<RoutingFigures> others) {
        assertThat(others).allSatisfy(other -> assertThat(ours.seconds(99)).isLessThan(other.seconds(99)));
    }

    private static AgentTraces.Load usual(int agents) {
        return new AgentTraces.Load(agents, 4, 600, AgentTraces.Sizes.USUAL);
    }

    private static void isBetterThanOthers(Comparison comparison) {
        var ours = comparison.run("prefix tree", ours());
        var others = new ArrayList<>(comparison.blind());
        others.add(comparison.run("first 256 tokens", RoutingRule.firstTokens()));

        isWarmer(ours, others);
        isSoonerInTheWorstTurns(ours, others);
        assertThat(ours.warm()).isGreaterThan(0.85 * comparison.best().warm());
    }

    @Test
    void agentsOfManyKindsFindTheirPromptsWarmAndWaitLess() {
        isBetterThanOthers(Comparison.of(usual(40), ServerPace.USUAL));
    }

    @Test
    void conversationsBehindOneLongPromptFindTheirTurnsWarmAndWaitLess() {
        isBetterThanOthers(Comparison.of(usual(1), ServerPace.USUAL));
    }

    /// Their few turns do not tell the tree from the first 256 tokens.
    @Test
    void theTracesThatGoThroughTheSuiteFindTheirPromptsWarm() {
        var comparison = Comparison.of(AgentTraces.Load.small(16), ServerPace.SMALL);
        var ours = comparison.run("prefix tree", ours());
        var others = comparison.blind();

        isWarmer(ours, others);
        isSoonerInTheWorstTurns(ours, others);
    }

    /// Servers that are hardly busy let the tree send most turns to a few of them, so the worst turns wait no less.
    @Test
    void aFewConversationsBehindOnePromptFindTheirTurnsWarm() {
        var comparison = Comparison.of(AgentTraces.Load.small(1), ServerPace.SMALL);

        isWarmer(comparison.run("prefix tree", ours()), comparison.blind());
    }

    /// The workers of a gateway: one server each. By a shared queue any of them got a turn.
    @ParameterizedTest
    @ValueSource(ints = {1, 8, 40})
    void turnsOfAConversationFindTheirWorkerWhicheverGatewayTheyComeBy(int agents) {
        var load = new AgentTraces.Load(agents, 0.8, 400, AgentTraces.Sizes.LONG);
        var comparison = Comparison.of(load, ServerPace.USUAL);
        var ours = comparison.run("by conversation", RoutingRule.byConversation(comparison.traces));

        isWarmer(ours, comparison.blind());
        assertThat(ours.warm()).isGreaterThan(0.95 * comparison.best().warm());
    }
}
