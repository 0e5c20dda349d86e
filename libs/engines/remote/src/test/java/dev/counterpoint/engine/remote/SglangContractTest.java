package dev.counterpoint.engine.remote;

class SglangContractTest extends RemoteContractTest {
    @Override
    protected FakeInference server() {
        return new FakeSglang(FakeSglang.Streaming.CUMULATIVE);
    }

    @Override
    protected ServerDialect dialect() {
        return new SglangDialect();
    }
}
