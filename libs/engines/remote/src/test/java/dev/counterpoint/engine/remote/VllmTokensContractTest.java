package dev.counterpoint.engine.remote;

class VllmTokensContractTest extends RemoteContractTest {
    @Override
    protected FakeInference server() {
        return FakeVllm.tokens();
    }

    @Override
    protected ServerDialect dialect() {
        return VllmDialect.TOKENS;
    }
}
