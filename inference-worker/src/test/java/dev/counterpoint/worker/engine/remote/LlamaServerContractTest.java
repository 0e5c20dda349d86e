package dev.counterpoint.worker.engine.remote;

class LlamaServerContractTest extends RemoteContractTest {
    @Override
    protected FakeInference server() {
        return new FakeLlamaServer();
    }

    @Override
    protected Dialect dialect() {
        return new LlamaServerDialect(false);
    }
}
