package dev.counterpoint.engine.remote;

import dev.counterpoint.engine.Sampling;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// A real SGLang. It takes no seed unless it computes deterministically, which it does on GPUs only, so nothing is
/// drawn here.
@EnabledIfSystemProperty(named = "sglang", matches = "required", disabledReason = "ask for it by -Psglang")
class SglangServerTest extends PythonServerContractTest {
    private static PythonServer server;

    @BeforeAll
    @Timeout(9000)
    static void start() throws IOException, InterruptedException {
        server = PythonServer.SGLANG.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected PythonServer server() {
        return server;
    }

    @Override
    protected ServerDialect dialect() {
        return new SglangDialect();
    }

    @Override
    protected Sampling sampling() {
        return Sampling.GREEDY;
    }

    @Override
    protected String description() {
        return "gpt-oss-20b by SGLang 0.5.23; context of 634 tokens by a server,"
                + " 131072 by worker.remote.context-length";
    }

    /// All but the last one, which it computes to have something to draw from.
    @Override
    protected int reused() {
        return prompt().length - 1;
    }
}
