package dev.counterpoint.engine.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.testkit.EngineContractTest;
import dev.counterpoint.engine.testkit.GenerationPull;
import dev.counterpoint.engine.testkit.RequestVariants;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The contract of engines, kept through a fake of one kind of server.
abstract class RemoteContractTest extends EngineContractTest {
    protected final FakeInference server = server();

    protected abstract FakeInference server();

    protected abstract ServerDialect dialect();

    @Override
    protected Engine create() {
        return new RemoteEngine(
                TestOptions.of(dialect(), server).withSlots(SLOTS).options());
    }

    @AfterEach
    void closeServer() {
        server.close();
    }

    @Override
    protected Set<Integer> stopTokens() {
        return Set.of(SpecialTokens.RETURN, SpecialTokens.CALL, SpecialTokens.END_OF_TEXT);
    }

    @Test
    void countsWhatWasSaidBeforeForThePenalties() throws InterruptedException {
        // Given: a model that loves one token, which the prompt has too, and a frequency that spoils it
        int loved = prompt()[3];
        server.says(_ -> loved);
        var sampling = new Sampling(0, 1, 0, 0, 1.5, Map.of(), null, null);
        var request = RequestVariants.sampled(request(prompt(), 70, Set.of(), TokenMask.ALL), sampling);
        int[] whole = GenerationPull.all(engine, request).ids();
        assertThat(whole).hasSize(70).startsWith(loved, loved, loved);
        assertThat(whole[69]).isNotEqualTo(loved);

        for (int cut : new int[] {1, 40, 60}) {
            // When
            var rest = GenerationPull.all(engine, RequestVariants.resumed(request, Arrays.copyOf(whole, cut)));
            // Then
            assertThat(rest.ids()).as("cut at %d", cut).isEqualTo(Arrays.copyOfRange(whole, cut, 70));
        }
    }

    @Test
    void obeysABiasToo() throws InterruptedException {
        int[] free = GenerationPull.all(engine, request(prompt(), 6, Set.of(), TokenMask.ALL))
                .ids();
        var sampling = Sampling.GREEDY.withLogitBias(Map.of(free[2], -100.0, 4242, 3.0));

        int[] biased = GenerationPull.all(
                        engine, RequestVariants.sampled(request(prompt(), 6, Set.of(), TokenMask.ALL), sampling))
                .ids();

        assertThat(biased).startsWith(free[0], free[1]);
        assertThat(biased[2]).isNotEqualTo(free[2]);
    }

    @Test
    void reportsTheChosenTokenAloneWhenNoAlternativesAreWanted() throws InterruptedException {
        var request = RequestVariants.sampled(
                request(prompt(), 6, Set.of(), TokenMask.ALL), Sampling.GREEDY.withTopLogprobs(0));

        assertThat(GenerationPull.all(engine, request).steps()).allSatisfy(step -> {
            var logprobs = step.logprobs();
            assertThat(logprobs).isNotNull();
            assertThat(logprobs.logprob()).isBetween(-100.0, 0.0);
            assertThat(logprobs.top()).isEmpty();
        });
    }

    @Test
    void saysTheStopTokenThatEndsTheOutput() throws InterruptedException {
        server.says(length -> length == prompt().length + 4 ? SpecialTokens.RETURN : -1);

        var pulled = GenerationPull.all(engine, request(prompt(), MANY));

        assertThat(pulled.ids()).hasSize(5).endsWith(SpecialTokens.RETURN);
        assertThat(pulled.reason()).isEqualTo(StopReason.STOP_TOKEN);
        assertThat(server.requests()).hasSize(1);
    }
}
