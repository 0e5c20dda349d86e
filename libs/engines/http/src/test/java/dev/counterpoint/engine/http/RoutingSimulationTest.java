package dev.counterpoint.engine.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.testkit.AgentTraces;
import dev.counterpoint.engine.testkit.RoutingFigures;
import dev.counterpoint.engine.testkit.RoutingRule;
import dev.counterpoint.engine.testkit.RoutingSimulation;
import dev.counterpoint.engine.testkit.ServerPace;
import java.util.Locale;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The router beside others, under [AgentTraces]. Its tables stand in docs/engines.md; the small traces go through the
/// whole suite, too: see `AgentsBench` of deploy/local.
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

    /// Than rules that know no prompts.
    private static RoutingFigures isBetterThanOthers(Comparison comparison) {
        var random = comparison.run("random", RoutingRule.random(7));
        var roundRobin = comparison.run("round robin", RoutingRule.roundRobin());
        var leastLoaded = comparison.run("least loaded", RoutingRule.leastLoaded());
        var ours = comparison.run("prefix tree", ours());
        var best = comparison.best();

        assertThat(ours.warm())
                .isGreaterThan(random.warm())
                .isGreaterThan(roundRobin.warm())
                .isGreaterThan(leastLoaded.warm())
                .isGreaterThan(0.85 * best.warm());
        assertThat(ours.seconds(99))
                .isLessThan(random.seconds(99))
                .isLessThan(roundRobin.seconds(99))
                .isLessThan(leastLoaded.seconds(99));
        return ours;
    }

    private static void isBetterThanFirstTokens(RoutingFigures ours, Comparison comparison) {
        var before = comparison.run("first 256 tokens", RoutingRule.firstTokens());

        assertThat(ours.warm()).isGreaterThan(before.warm());
        assertThat(ours.seconds(99)).isLessThan(before.seconds(99));
    }

    private static AgentTraces.Load usual(int agents) {
        return new AgentTraces.Load(agents, 4, 600, AgentTraces.Sizes.USUAL);
    }

    @Test
    void agentsOfManyKindsFindTheirPromptsWarmAndWaitLess() {
        var comparison = Comparison.of(usual(40), ServerPace.USUAL);

        isBetterThanFirstTokens(isBetterThanOthers(comparison), comparison);
    }

    @Test
    void conversationsBehindOneLongPromptFindTheirTurnsWarmAndWaitLess() {
        var comparison = Comparison.of(usual(1), ServerPace.USUAL);

        isBetterThanFirstTokens(isBetterThanOthers(comparison), comparison);
    }

    /// Their few turns do not tell the tree from the first 256 tokens.
    @Test
    void theTracesThatGoThroughTheSuiteShowTheSame() {
        isBetterThanOthers(Comparison.of(AgentTraces.Load.small(16), ServerPace.SMALL));
        isBetterThanOthers(Comparison.of(AgentTraces.Load.small(1), ServerPace.SMALL));
    }
}
