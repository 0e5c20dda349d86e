package dev.counterpoint.engine.remote;

class LlamaServerContractTest extends RemoteContractTest {
    @Override
    protected FakeInference server() {
        return new FakeLlamaServer();
    }

    @Override
    protected ServerDialect dialect() {
        return new LlamaServerDialect(false);
    }
}
