package dev.counterpoint.worker.engine.remote;

class VllmTokensContractTest extends RemoteContractTest {
    @Override
    protected FakeInference server() {
        return FakeVllm.tokens();
    }

    @Override
    protected Dialect dialect() {
        return new VllmTokensDialect();
    }
}
