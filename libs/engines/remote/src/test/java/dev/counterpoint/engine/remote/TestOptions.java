package dev.counterpoint.engine.remote;

import dev.counterpoint.engine.http.UpstreamAccess;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// Options of an engine in tests, with times that a test outlives only when something hangs.
record TestOptions(RemoteOptions options) {
    static final UpstreamAccess.Timeouts PATIENT = new UpstreamAccess.Timeouts(
            Duration.ofSeconds(30), Duration.ofMinutes(2), Duration.ofMinutes(2), Duration.ofMillis(100));

    static TestOptions of(ServerDialect dialect, FakeInference... servers) {
        return of(dialect, Arrays.stream(servers).map(FakeInference::address).toList());
    }

    static TestOptions of(ServerDialect dialect, List<URI> servers) {
        var access = new UpstreamAccess(servers, null, PATIENT, ServerDialect.HEALTH_PATH);
        return new TestOptions(new RemoteOptions(dialect, "gpt-oss-20b", null, access, OptionalInt.of(4), 640));
    }

    TestOptions withContext(int tokens) {
        var o = options;
        return new TestOptions(
                new RemoteOptions(o.dialect(), o.model(), o.upstreamModel(), o.access(), o.slots(), tokens));
    }

    /// As many as the servers say.
    TestOptions withoutSlots() {
        var o = options;
        return new TestOptions(new RemoteOptions(
                o.dialect(), o.model(), o.upstreamModel(), o.access(), OptionalInt.empty(), o.contextLength()));
    }

    TestOptions withSlots(int slots) {
        var o = options;
        return new TestOptions(new RemoteOptions(
                o.dialect(), o.model(), o.upstreamModel(), o.access(), OptionalInt.of(slots), o.contextLength()));
    }

    TestOptions withTimes(UpstreamAccess.Timeouts timeouts) {
        var access = options.access();
        return withAccess(
                options.upstreamModel(),
                new UpstreamAccess(access.servers(), access.apiKey(), timeouts, access.healthPath()));
    }

    TestOptions withNames(String upstreamModel, @Nullable String apiKey) {
        var access = options.access();
        return withAccess(
                upstreamModel, new UpstreamAccess(access.servers(), apiKey, access.timeouts(), access.healthPath()));
    }

    private TestOptions withAccess(@Nullable String upstreamModel, UpstreamAccess access) {
        var o = options;
        return new TestOptions(
                new RemoteOptions(o.dialect(), o.model(), upstreamModel, access, o.slots(), o.contextLength()));
    }
}
