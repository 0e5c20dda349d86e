package dev.counterpoint.worker.engine.remote;

import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/// Options of an engine in tests, with times that a test outlives only when something hangs.
record TestOptions(RemoteOptions options) {
    static final RemoteOptions.Times PATIENT = new RemoteOptions.Times(
            Duration.ofSeconds(30), Duration.ofMinutes(2), Duration.ofMinutes(2), Duration.ofMillis(100));

    static TestOptions of(Dialect dialect, FakeInference... servers) {
        return of(dialect, Arrays.stream(servers).map(FakeInference::address).toList());
    }

    static TestOptions of(Dialect dialect, List<URI> servers) {
        return new TestOptions(new RemoteOptions(dialect, "gpt-oss-20b", null, servers, null, 4, 640, PATIENT));
    }

    TestOptions withSlots(int slots) {
        var o = options;
        return new TestOptions(new RemoteOptions(
                o.dialect(),
                o.model(),
                o.upstreamModel(),
                o.servers(),
                o.apiKey(),
                slots,
                o.contextLength(),
                o.times()));
    }

    TestOptions withTimes(RemoteOptions.Times times) {
        var o = options;
        return new TestOptions(new RemoteOptions(
                o.dialect(),
                o.model(),
                o.upstreamModel(),
                o.servers(),
                o.apiKey(),
                o.slots(),
                o.contextLength(),
                times));
    }

    TestOptions withNames(String upstreamModel, String apiKey) {
        var o = options;
        return new TestOptions(new RemoteOptions(
                o.dialect(), o.model(), upstreamModel, o.servers(), apiKey, o.slots(), o.contextLength(), o.times()));
    }
}
