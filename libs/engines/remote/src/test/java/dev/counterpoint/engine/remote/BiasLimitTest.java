package dev.counterpoint.engine.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.testkit.GenerationPull;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whatever the masks, the bias, the penalties, the stop tokens and the output that is resumed: no server is sent more
/// than its engine holds. One more ends vLLM's engine, with everybody's answers: see [FakeVllm#dead].
@Timeout(240)
class BiasLimitTest extends WithServers {
    private static final int LIMIT = 1024;
    private static final int CASES = 40;
    private static final int PREFIX_MAX = 3000;

    @ParameterizedTest
    @ValueSource(strings = {"vllm", "vllm-tokens", "sglang"})
    void noRequestHasMoreBiasesThanAServerHolds(String kind) throws InterruptedException {
        // Given
        FakeInference server = switch (kind) {
            case "vllm" -> FakeVllm.completions();
            case "vllm-tokens" -> FakeVllm.tokens();
            default -> new FakeSglang(FakeSglang.Streaming.INCREMENTAL);
        };
        opened(server).hasContext(8000);
        ServerDialect dialect = switch (kind) {
            case "vllm" -> VllmDialect.COMPLETIONS;
            case "vllm-tokens" -> VllmDialect.TOKENS;
            default -> new SglangDialect();
        };
        var engine = engine(TestOptions.of(dialect, server).withContext(8000));
        // When
        for (int seed = 0; seed < CASES; seed++) {
            GenerationPull.all(engine, anyRequest(new Random(seed)));
        }
        // Then
        assertThat(server.requests()).hasSizeGreaterThanOrEqualTo(CASES).allSatisfy(sent -> {
            var sampling = sent.has("sampling_params") ? sent.path("sampling_params") : sent;
            assertThat(sampling.path("logit_bias").size()).isLessThanOrEqualTo(LIMIT);
            assertThat(sampling.path("allowed_token_ids").size()).isLessThanOrEqualTo(LIMIT);
        });
        assertThat(server.requests()).as("some are at the limit").anyMatch(BiasLimitTest::isFull);
        assertThat(server instanceof FakeVllm vllm && vllm.dead()).isFalse();
    }

    private static boolean isFull(JsonNode sent) {
        var sampling = sent.has("sampling_params") ? sent.path("sampling_params") : sent;
        return sampling.path("logit_bias").size() == LIMIT;
    }

    private static GenerationRequest anyRequest(Random random) {
        var bias = new HashMap<Integer, Double>();
        int biases = random.nextInt(3) == 0 ? 0 : random.nextInt(LIMIT + 1);
        while (bias.size() < biases) {
            bias.put(random.nextInt(TokenIds.VOCABULARY), random.nextDouble(-100, 100));
        }
        double presence = random.nextBoolean() ? 0 : random.nextDouble(-2, 2);
        double frequency = random.nextBoolean() ? 0 : random.nextDouble(-2, 2);
        int[] prefix =
                random.ints(random.nextInt(PREFIX_MAX), 0, TokenIds.VOCABULARY).toArray();
        var sampling = new Sampling(0, 1, 0, presence, frequency, Map.copyOf(bias), null, null);
        return new GenerationRequest(
                "test", PROMPT, prefix, sampling, prefix.length + 3, stops(random), mask(random), "tenant");
    }

    /// None, or more than vLLM holds.
    private static Set<Integer> stops(Random random) {
        return random.ints(random.nextInt(2) * 200L, 0, TokenIds.VOCABULARY)
                .boxed()
                .collect(Collectors.toUnmodifiableSet());
    }

    /// For each of three tokens in turn: few, all but few, all but many, all but more than can be told, or all.
    private static TokenMask mask(Random random) {
        var sizes = new int[] {0, 2, 256, 300, -1, -64, -1024, -1088, -2048, -5000};
        var each = new ArrayList<long[]>();
        for (int i = 0; i < 3; i++) {
            int size = sizes[random.nextInt(sizes.length)];
            each.add(size == 0 ? bits(random, 0, false) : bits(random, Math.abs(size), size > 0));
        }
        return new Turning(each);
    }

    private static long[] bits(Random random, int count, boolean set) {
        var bits = new long[TokenIds.VOCABULARY / Long.SIZE];
        Arrays.fill(bits, set ? 0 : -1);
        IntStream.generate(() -> random.nextInt(TokenIds.VOCABULARY))
                .distinct()
                .limit(count)
                .forEach(token -> bits[token >> 6] ^= 1L << token);
        return bits;
    }

    /// Another at each step.
    private static final class Turning implements TokenMask {
        private final List<long[]> each;
        private int at;

        private Turning(List<long[]> each) {
            this.each = each;
        }

        @Override
        public long @Nullable [] allowed() {
            return each.get(at % each.size());
        }

        @Override
        public void accept(int token) {
            at++;
        }
    }
}
