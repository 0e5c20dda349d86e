package dev.counterpoint.engine.llama;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.llama.testkit.TestLibrary;
import dev.counterpoint.engine.testkit.GenerationPull;
import dev.counterpoint.engine.testkit.PulledGeneration;
import dev.counterpoint.engine.testkit.RequestVariants;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/// What the engine does beyond the contract.
@Timeout(120)
@EnabledIf(value = TestLibrary.IS_THERE, disabledReason = TestLibrary.ABSENT)
class LlamaEngineTest {
    private static final LlamaOptions.Capacity CAPACITY = LlamaOptions.Capacity.of(8, 640, 5120);
    private static final int OUTPUT = 40;
    /// Longer than the sliding window of the model's layers.
    private static final int LONG = 300;

    private @Nullable LlamaEngine opened;

    @AfterEach
    void closeEngine() {
        if (opened != null) {
            opened.close();
        }
    }

    @Test
    void saysInABatchWhatItSaysAlone() throws Exception {
        var requests = IntStream.range(0, 8)
                .mapToObj(i -> request(prompt(500 * i, 20 + 17 * i), "salt " + i))
                .toList();
        var alone = new ArrayList<int[]>();
        var engine = open(options(CAPACITY.contextLength(), CAPACITY.contextTokens(), 0));
        for (var request : requests) {
            alone.add(GenerationPull.all(engine, request).ids());
        }

        var together = together(engine, requests);

        for (int i = 0; i < alone.size(); i++) {
            assertThat(together.get(i).ids()).as("sequence %d", i).isEqualTo(alone.get(i));
        }
        assertThat(alone.get(0)).isNotEqualTo(alone.get(1));
    }

    @Test
    void goesOnFromAnyPrefixAsItWouldHaveThroughout() throws InterruptedException {
        var whole = request(prompt(0, 80), "ada", 500);
        var engine = open(options(CAPACITY.contextLength(), CAPACITY.contextTokens(), 0));
        int[] expected = GenerationPull.all(engine, whole).ids();

        for (int cut : new int[] {1, 30, 200, 450}) {
            var rest = GenerationPull.all(engine, RequestVariants.resumed(whole, Arrays.copyOf(expected, cut)));

            assertThat(rest.ids()).as("from %d", cut).isEqualTo(Arrays.copyOfRange(expected, cut, expected.length));
        }
    }

    @Test
    void computesACommonBeginningOnceAndSaysTheSame() throws InterruptedException {
        // Given
        int[] first = conversation(LONG, 1);
        int[] second = conversation(LONG, 2);
        var engine = open(options(CAPACITY.contextLength(), CAPACITY.contextTokens(), 0));
        int[] expected = GenerationPull.all(engine, request(second, "ada")).ids();
        assertThat(engine.statistics().reusedTokens()).isZero();
        engine.close();
        engine = open(options());

        // When
        GenerationPull.all(engine, request(first, "ada"));
        int[] ids = GenerationPull.all(engine, request(second, "ada")).ids();

        // Then
        assertThat(ids).isEqualTo(expected);
        assertThat(engine.statistics().reusedTokens()).isEqualTo(LONG);
    }

    @Test
    void sharesTheBeginningOfASequenceThatStillRuns() throws InterruptedException {
        var engine = open(options());
        try (var running = new PulledGeneration(engine, request(conversation(LONG, 1), "ada"))) {
            nextToken(running);

            try (var second = new PulledGeneration(engine, request(conversation(LONG, 2), "ada"))) {
                GenerationPull.all(second);

                assertThat(engine.statistics().reusedTokens()).isEqualTo(LONG);
                assertThat(second.cachedTokens()).isEqualTo(LONG);
                assertThat(running.cachedTokens()).isZero();
            }
        }
    }

    @Test
    void sharesNothingAcrossSalts() throws InterruptedException {
        var engine = open(options());
        try (var running = new PulledGeneration(engine, request(conversation(LONG, 1), "ada"))) {
            nextToken(running);
            GenerationPull.all(engine, request(conversation(LONG, 1), "bob"));
        }
        GenerationPull.all(engine, request(conversation(LONG, 1), "eve"));

        assertThat(engine.statistics().reusedTokens()).isZero();
    }

    @Test
    void keepsNoMorePrefixesThanItMay() throws InterruptedException {
        var engine = open(options(CAPACITY.contextLength(), CAPACITY.contextTokens(), 2));
        for (int person = 0; person < 5; person++) {
            GenerationPull.all(engine, request(prompt(1000 * person, 50), "ada"));
        }

        GenerationPull.all(engine, request(prompt(0, 50), "ada"));
        long afterTheForgotten = engine.statistics().reusedTokens();
        GenerationPull.all(engine, request(prompt(4000, 50), "ada"));

        assertThat(afterTheForgotten).isZero();
        assertThat(engine.statistics().reusedTokens()).isEqualTo(49);
    }

    @Test
    void letsASlowReaderWaitForNobodyButItself() throws InterruptedException {
        var engine = open(options());
        int[] expected =
                GenerationPull.all(engine, request(prompt(0, 30), "ada")).ids();
        try (var slow = new PulledGeneration(engine, request(prompt(0, 30), "ada"))) {
            nextToken(slow);

            var quick = GenerationPull.all(engine, request(prompt(700, 30), "ada", 5 * OUTPUT));

            assertThat(quick.ids()).hasSize(5 * OUTPUT);
            assertThat(GenerationPull.all(slow).ids()).isEqualTo(tail(expected));
        }
    }

    @Test
    void takesTurnsWhenTheContextIsTooSmallForAll() throws Exception {
        // Given
        var requests = IntStream.range(0, 4)
                .mapToObj(i -> request(prompt(500 * i, 200), "salt " + i, 2 * OUTPUT))
                .toList();
        var roomy = open(options(CAPACITY.contextLength(), CAPACITY.contextTokens(), 0));
        var expected = together(roomy, requests);
        roomy.close();

        // When
        var engine = open(options(512, 512, CAPACITY.keptPrefixes()));
        var pulled = together(engine, requests);

        // Then
        for (int i = 0; i < requests.size(); i++) {
            assertThat(pulled.get(i).ids())
                    .as("sequence %d", i)
                    .isEqualTo(expected.get(i).ids());
            assertThat(pulled.get(i).reason()).isEqualTo(StopReason.LENGTH);
        }
        assertThat(engine.statistics().preemptions()).isPositive();
    }

    @Test
    void givesTheMemoryOfAReaderThatStallsToOneThatReads() throws InterruptedException {
        var engine = open(options(512, 512, CAPACITY.keptPrefixes()));
        try (var stalling = new PulledGeneration(engine, request(prompt(0, 200), "ada", 300));
                var reading = new PulledGeneration(engine, request(prompt(700, 200), "bob", 100))) {
            // Given
            while (engine.statistics().preemptions() == 0) {
                stalling.next();
                reading.next();
            }

            // When
            var pulled = GenerationPull.all(reading);

            // Then
            assertThat(pulled.reason()).isEqualTo(StopReason.LENGTH);
            assertThat(GenerationPull.all(stalling).reason()).isEqualTo(StopReason.LENGTH);
        }
    }

    @Test
    void goesOnWithTheOthersWhenALongPromptIsCancelled() throws InterruptedException {
        var engine = open(options(3000, 12_000, 0));
        int[] expected =
                GenerationPull.all(engine, request(prompt(0, 30), "ada")).ids();
        try (var neighbour = new PulledGeneration(engine, request(prompt(0, 30), "ada"))) {
            for (int i = 0; i < 20; i++) {
                try (var cancelled = new PulledGeneration(engine, request(prompt(100 * i, 2500), "bob"))) {
                    cancelled.next();
                    cancelled.cancel();

                    assertThat(GenerationPull.all(cancelled).reason()).isEqualTo(StopReason.CANCELLED);
                }
            }
            assertThat(GenerationPull.all(neighbour).ids()).isEqualTo(expected);
        }
    }

    @Test
    void failsOnlyTheSequenceWhoseMaskIsBroken() throws InterruptedException {
        var broken = new TokenMask() {
            @Override
            public long[] allowed() {
                throw new IllegalStateException("secret of the prompt");
            }

            @Override
            public void accept(int token) {}
        };
        var engine = open(options());
        try (var neighbour = new PulledGeneration(engine, request(prompt(0, 30), "ada"))) {
            var pulled = GenerationPull.all(engine, request(prompt(0, 30), "ada", OUTPUT, broken));

            assertThat(pulled.reason()).isEqualTo(StopReason.FAILED);
            assertThat(pulled.stopped().detail()).doesNotContain("secret");
            assertThat(GenerationPull.all(neighbour).ids()).hasSize(OUTPUT);
        }
    }

    @Test
    void countsEveryTokenThatItComputes() throws InterruptedException {
        var engine = open(options());

        GenerationPull.all(engine, request(prompt(0, 30), "ada"));

        var statistics = engine.statistics();
        assertThat(statistics.steps()).isEqualTo(OUTPUT);
        // The last token is said and not computed.
        assertThat(statistics.computedTokens()).isEqualTo(30 + OUTPUT - 1);
        assertThat(statistics.preemptions()).isZero();
    }

    @Test
    void saysWhatItIs() {
        var description = open(options()).describe();

        assertThat(description.engine()).isEqualTo("llama");
        assertThat(description.model()).isEqualTo("made-up");
        assertThat(description.contextLength()).isEqualTo(640);
        assertThat(description.contextTokens()).isEqualTo(5120);
        assertThat(description.vocabularySize()).isEqualTo(ModelFile.HARMONY_TOKENS);
    }

    @Test
    void refusesATruncatedModel(@TempDir Path folder) throws IOException {
        var source = TestLibrary.source();
        var file = folder.resolve("cut.gguf");
        Files.copy(GgufTestModel.file(), file);
        try (var out = FileChannel.open(file, StandardOpenOption.WRITE)) {
            out.truncate(Files.size(file) - 1000);
        }

        assertThatThrownBy(() -> LlamaEngine.open(source, new LlamaOptions("cut", file, CAPACITY, 1)))
                .isInstanceOf(UnusableModelException.class)
                .hasMessageContaining("was refused by llama.cpp: ");
    }

    private LlamaEngine open(LlamaOptions options) {
        opened = LlamaEngine.open(TestLibrary.source(), options);
        return opened;
    }

    private static LlamaOptions options() {
        return new LlamaOptions("made-up", GgufTestModel.file(), CAPACITY, 1);
    }

    private static LlamaOptions options(int contextLength, int contextTokens, int keptPrefixes) {
        var capacity = new LlamaOptions.Capacity(
                CAPACITY.slots(), contextLength, contextTokens, CAPACITY.prefillTokens(), keptPrefixes);
        return new LlamaOptions("made-up", GgufTestModel.file(), capacity, 1);
    }

    private static List<GenerationPull> together(LlamaEngine engine, List<GenerationRequest> requests)
            throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var pulls = new ArrayList<Future<GenerationPull>>();
            for (var request : requests) {
                pulls.add(threads.submit((Callable<GenerationPull>) () -> GenerationPull.all(engine, request)));
            }
            var pulled = new ArrayList<GenerationPull>();
            for (var pull : pulls) {
                pulled.add(pull.get());
            }
            return pulled;
        }
    }

    /// The same beginning for everybody, then something of one's own.
    private static int[] conversation(int shared, int person) {
        return IntStream.concat(
                        IntStream.range(2000, 2000 + shared), IntStream.range(9000 * person, 9000 * person + 30))
                .toArray();
    }

    private static int[] prompt(int from, int length) {
        return IntStream.range(from, from + length).toArray();
    }

    private static GenerationRequest request(int[] prompt, String salt) {
        return request(prompt, salt, OUTPUT);
    }

    private static GenerationRequest request(int[] prompt, String salt, int maxTokens) {
        return request(prompt, salt, maxTokens, TokenMask.ALL);
    }

    private static GenerationRequest request(int[] prompt, String salt, int maxTokens, TokenMask mask) {
        return new GenerationRequest("test", prompt, new int[0], Sampling.GREEDY, maxTokens, Set.of(), mask, salt);
    }

    private static void nextToken(PulledGeneration generation) throws InterruptedException {
        while (!(generation.next() instanceof Step.Token)) {
            // The prefill may take a few rounds; the test's timeout bounds them.
        }
    }

    private static int[] tail(int[] ids) {
        return Arrays.copyOfRange(ids, 1, ids.length);
    }
}
