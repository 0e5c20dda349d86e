package dev.counterpoint.worker.engine.remote;

class VllmContractTest extends RemoteContractTest {
    @Override
    protected FakeInference server() {
        return FakeVllm.completions();
    }

    @Override
    protected Dialect dialect() {
        return new VllmDialect();
    }
}
