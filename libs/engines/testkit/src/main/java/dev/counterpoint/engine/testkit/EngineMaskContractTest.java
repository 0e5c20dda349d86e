package dev.counterpoint.engine.testkit;

import static dev.counterpoint.engine.testkit.RequestVariants.resumed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.EngineDescription.Ability;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenMask;
import java.util.Arrays;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The part of the contract that masks are in. What an engine need not be able to do is not asked of
/// it.
@Timeout(120)
abstract class EngineMaskContractTest {
    protected static final int SLOTS = 4;
    protected static final int MANY = 48;

    protected Engine engine;

    /// A running engine with [#SLOTS] slots and a context of at least 512 tokens.
    protected abstract Engine create();

    /// A prompt of fewer than 400 tokens whose output has at least [#MANY] tokens before it stops by
    /// itself.
    protected int[] prompt() {
        return IntStream.range(1000, 1200).toArray();
    }

    /// Three or more ordinary tokens that are unlikely as the beginning of an output, for a mask to
    /// force.
    protected int[] unlikely() {
        return new int[] {17, 4242, 100_000, 199_000};
    }

    @BeforeEach
    void createEngine() {
        engine = create();
    }

    @AfterEach
    void closeEngine() {
        engine.close();
    }

    @Test
    void saysExactlyWhatAMaskForces() throws InterruptedException {
        if (!obeysFewTokenMasks()) {
            return;
        }
        int[] forced = unlikely();

        var pulled = GenerationPull.all(
                engine, request(prompt(), MANY, Set.of(forced[forced.length - 1]), new ForcedTokens(forced)));

        assertThat(pulled.ids()).isEqualTo(forced);
        assertThat(pulled.reason()).isEqualTo(StopReason.STOP_TOKEN);
    }

    @Test
    void resumesInsideAConstraint() throws InterruptedException {
        if (!engine.describe().can(Ability.CONTINUES_INSIDE_CONSTRAINT)) {
            return;
        }
        int[] forced = unlikely();

        for (int cut = 0; cut <= forced.length; cut++) {
            var request = request(prompt(), forced.length, Set.of(), new ForcedTokens(forced));
            var pulled = GenerationPull.all(engine, resumed(request, Arrays.copyOf(forced, cut)));

            assertThat(pulled.ids()).isEqualTo(Arrays.copyOfRange(forced, cut, forced.length));
        }
    }

    @Test
    void obeysAMaskThatTakesTokensAwayAtEachStep() throws InterruptedException {
        if (!engine.describe().can(Ability.MASKS)) {
            return;
        }
        int words = (engine.describe().vocabularySize() + 63) / 64;
        // Even ids at even positions, odd ids at odd ones.
        var mask = new StepMask(position -> {
            var allowed = new long[words];
            Arrays.fill(allowed, position % 2 == 0 ? 0x5555_5555_5555_5555L : 0xAAAA_AAAA_AAAA_AAAAL);
            return allowed;
        });

        int[] ids = GenerationPull.all(engine, request(prompt(), MANY, Set.of(), mask))
                .ids();

        assertThat(ids).hasSize(MANY);
        for (int i = 0; i < ids.length; i++) {
            assertThat(ids[i] % 2).as("token at %d", i).isEqualTo(i % 2);
        }
    }

    @Test
    void obeysAMaskThatForbidsAFewTokensFromSomewhereOn() throws InterruptedException {
        if (!obeysFewTokenMasks()) {
            return;
        }
        // Given
        int[] free = GenerationPull.all(engine, request(prompt(), MANY, Set.of(), TokenMask.ALL))
                .ids();
        int from = 5;
        long[] others = allBut(free);
        var mask = new StepMask(position -> position < from ? null : others);

        // When
        int[] ids = GenerationPull.all(engine, request(prompt(), MANY, Set.of(), mask))
                .ids();

        // Then
        assertThat(ids).hasSize(MANY).startsWith(Arrays.copyOf(free, from));
        assertThat(Arrays.copyOfRange(ids, from, MANY)).doesNotContain(free);
    }

    @Test
    void obeysAMaskThatAllowsAFewTokensNowAndThen() throws InterruptedException {
        if (!obeysFewTokenMasks()) {
            return;
        }
        int[] few = unlikely();
        long[] allowed = only(few);
        var mask = new StepMask(position -> position % 3 == 1 ? allowed : null);

        int[] ids = GenerationPull.all(engine, request(prompt(), MANY, Set.of(), mask))
                .ids();

        assertThat(ids).hasSize(MANY);
        for (int i = 1; i < MANY; i += 3) {
            assertThat(few).as("token at %d", i).contains(ids[i]);
        }
    }

    @Test
    void endsWhenTheMaskAllowsNothing() throws InterruptedException {
        if (!obeysFewTokenMasks()) {
            return;
        }
        var pulled = GenerationPull.all(engine, request(prompt(), MANY, Set.of(), new ForcedTokens()));

        assertThat(pulled.steps()).isEmpty();
        assertThat(pulled.reason()).isEqualTo(StopReason.NO_TOKEN);
    }

    final boolean obeysFewTokenMasks() {
        return engine.describe().can(Ability.MASKS) || engine.describe().can(Ability.FEW_TOKEN_MASKS);
    }

    private long[] allBut(int... tokens) {
        int size = engine.describe().vocabularySize();
        return set(IntStream.range(0, size).filter(token -> IntStream.of(tokens).noneMatch(one -> one == token)));
    }

    private long[] only(int... tokens) {
        return set(IntStream.of(tokens));
    }

    private long[] set(IntStream tokens) {
        var set = new long[(engine.describe().vocabularySize() + 63) / 64];
        tokens.forEach(token -> set[token >> 6] |= 1L << token);
        return set;
    }

    /// How requests draw, where a test does not say it: drawn, and the same for the same prompt.
    protected Sampling sampling() {
        return Sampling.DEFAULT.withSeed(42);
    }

    protected final GenerationRequest request(int[] prompt, int maxTokens, Set<Integer> stopTokens, TokenMask mask) {
        return new GenerationRequest("test", prompt, new int[0], sampling(), maxTokens, stopTokens, mask, "");
    }

    /// Allows at each position the tokens that a function returns.
    private static final class StepMask implements TokenMask {
        private final IntFunction<long @Nullable []> allowedAt;
        private int position;

        StepMask(IntFunction<long @Nullable []> allowedAt) {
            this.allowedAt = allowedAt;
        }

        @Override
        public long @Nullable [] allowed() {
            return allowedAt.apply(position);
        }

        @Override
        public void accept(int token) {
            if (!TokenMask.allows(allowed(), token)) {
                throw new IllegalArgumentException("token " + token + " was not allowed at position " + position);
            }
            position++;
        }
    }
}
