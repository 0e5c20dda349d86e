package dev.counterpoint.engine.remote;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// A real vLLM asked for completions.
@EnabledIfSystemProperty(named = "vllm", matches = "required", disabledReason = "ask for it by -Pvllm")
class VllmServerTest extends PythonServerContractTest {
    private static PythonServer server;

    @BeforeAll
    @Timeout(9000)
    static void start() throws IOException, InterruptedException {
        server = PythonServer.VLLM.start();
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
    protected String description() {
        return "gpt-oss-20b by vLLM 0.32.0; context of 640 tokens by a server, 131072 by worker.remote.context-length";
    }

    /// Its blocks have 128 tokens on the CPU.
    @Override
    protected int reused() {
        return 128;
    }

    @Override
    protected ServerDialect dialect() {
        return VllmDialect.COMPLETIONS;
    }
}
