package dev.counterpoint.worker.engine.remote;

class SglangContractTest extends RemoteContractTest {
    @Override
    protected FakeInference server() {
        return new FakeSglang(FakeSglang.Streaming.CUMULATIVE);
    }

    @Override
    protected Dialect dialect() {
        return new SglangDialect();
    }
}
