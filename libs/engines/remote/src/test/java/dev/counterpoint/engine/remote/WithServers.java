package dev.counterpoint.engine.remote;

import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.testkit.PulledGeneration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/// UpstreamClient and engines that are closed after each test.
abstract class WithServers {
    static final int[] PROMPT = {5, 6, 7, 8};
    static final String TOKEN = "{\"choices\":[{\"token_ids\":[17],\"text\":\"\",\"finish_reason\":null}]}";

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (var one : open.reversed()) {
            one.close();
        }
    }

    FakeVllm vllm() {
        return opened(FakeVllm.completions());
    }

    RemoteEngine engine(TestOptions options) {
        return opened(new RemoteEngine(options.options()));
    }

    RemoteEngine engine(FakeInference... servers) {
        return engine(TestOptions.of(VllmDialect.COMPLETIONS, servers));
    }

    <T extends AutoCloseable> T opened(T one) {
        open.add(one);
        return one;
    }

    static boolean says(RemoteEngine engine, String detail) {
        return engine.health().detail().equals(detail);
    }

    static @Nullable Step next(PulledGeneration generation) {
        try {
            return generation.next();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static GenerationRequest request(String salt, int maxTokens) {
        return new GenerationRequest(
                "test", PROMPT, new int[0], Sampling.GREEDY, maxTokens, Set.of(), TokenMask.ALL, salt);
    }
}
