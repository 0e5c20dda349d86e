package dev.counterpoint.engine.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Conversations of agents, for whoever is to serve them: each begins with the long prompt of its kind of agent and
/// grows from turn to turn. The same for the same load and seed.
///
/// @param prompts of each kind of agent
/// @param conversations in the order in which they begin
public record AgentTraces(List<int[]> prompts, List<Conversation> conversations) {
    /// Tokens are numbers below this one, for whoever has that many words.
    public static final int TOKENS = 1_000;

    /// @param from the least
    /// @param to more than the greatest
    public record Span(int from, int to) {
        private int draw(Random random) {
            return random.nextInt(from, to);
        }
    }

    /// @param prompt tokens of an agent's prompt
    /// @param turns of a conversation
    /// @param said tokens that a turn adds before its answer
    /// @param output tokens of an answer
    /// @param pauseMillis from an answer to the next turn
    public record Sizes(Span prompt, Span turns, Span said, Span output, Span pauseMillis) {
        /// Of agents with many tools.
        public static final Sizes USUAL = new Sizes(
                new Span(4_000, 16_000),
                new Span(3, 18),
                new Span(100, 2_100),
                new Span(50, 450),
                new Span(200, 5_200));
        /// The same with 20 turns each.
        public static final Sizes LONG =
                new Sizes(USUAL.prompt, new Span(20, 21), USUAL.said, USUAL.output, USUAL.pauseMillis);
        /// A quarter of their tokens, fewer turns and shorter answers: what two cores carry through the whole suite
        /// within a minute. For servers of [ServerPace#SMALL].
        public static final Sizes SMALL = new Sizes(
                new Span(1_000, 4_000), new Span(3, 8), new Span(25, 525), new Span(10, 40), new Span(200, 1_000));
    }

    /// @param agents kinds of agents, each with a prompt of its own
    /// @param perSecond conversations that begin in a second
    public record Load(int agents, double perSecond, int conversations, Sizes sizes) {
        /// @param agents kinds of agents
        public static Load small(int agents) {
            return new Load(agents, 2, 64, Sizes.SMALL);
        }
    }

    /// @param atSecond when it begins
    /// @param agent whose prompt it begins with
    public record Conversation(double atSecond, int agent, List<Turn> turns) {}

    /// @param said tokens before the answer
    /// @param output tokens of the answer
    /// @param pauseSeconds after the answer
    public record Turn(int[] said, int output, double pauseSeconds) {}

    public static AgentTraces of(Load load, long seed) {
        var random = new Random(seed);
        var prompts = new ArrayList<int[]>();
        for (int agent = 0; agent < load.agents; agent++) {
            prompts.add(tokens(random, load.sizes.prompt.draw(random)));
        }
        var conversations = new ArrayList<Conversation>();
        double at = 0;
        for (int i = 0; i < load.conversations; i++) {
            at += -Math.log(1 - random.nextDouble()) / load.perSecond;
            conversations.add(new Conversation(at, random.nextInt(load.agents), turns(load.sizes, random)));
        }
        return new AgentTraces(prompts, conversations);
    }

    /// Under which servers keep the prompts of an agent.
    static String salt(int agent) {
        return "tenant-" + agent;
    }

    static int[] join(int[] one, int[] other) {
        int[] joined = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, joined, one.length, other.length);
        return joined;
    }

    private static List<Turn> turns(Sizes sizes, Random random) {
        var turns = new ArrayList<Turn>();
        for (int left = sizes.turns.draw(random); left > 0; left--) {
            turns.add(new Turn(
                    tokens(random, sizes.said.draw(random)),
                    sizes.output.draw(random),
                    sizes.pauseMillis.draw(random) / 1e3));
        }
        return List.copyOf(turns);
    }

    private static int[] tokens(Random random, int count) {
        return random.ints(count, 0, TOKENS).toArray();
    }
}
