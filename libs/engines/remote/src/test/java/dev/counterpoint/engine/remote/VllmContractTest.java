package dev.counterpoint.engine.remote;

class VllmContractTest extends RemoteContractTest {
    @Override
    protected FakeInference server() {
        return FakeVllm.completions();
    }

    @Override
    protected ServerDialect dialect() {
        return VllmDialect.COMPLETIONS;
    }
}
