package dev.counterpoint.bench;

import dev.counterpoint.bench.LoadTarget.Api;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

/// The suite as `deploy/local/up` starts it, in a folder of its own that is deleted in the end.
final class BenchSuite implements AutoCloseable {
    private static final Pattern EXPORT = Pattern.compile("export ([A-Z_]+)='([^']*)'");
    private static final int START_SECONDS_MAX = 240;
    private static final String UNLIMITED = "1000000000";

    private final Path state;
    private final StartedProgram up;

    private BenchSuite(Path state, StartedProgram up) {
        this.state = state;
        this.up = up;
    }

    /// @param slots generations at once of its worker
    static BenchSuite start(Path folder, String upstream, int slots) {
        var state = folder.resolve("state");
        var environment = new HashMap<>(Map.of(
                "COUNTERPOINT_STATE",
                state.toString(),
                "COUNTERPOINT_BUILD",
                "never",
                "WORKER_CHAT_REASONING",
                "none",
                "WORKER_REMOTE_SLOTS",
                Integer.toString(slots),
                "GATEWAY_NEW_TENANT_REQUESTS_PER_MINUTE",
                UNLIMITED,
                "GATEWAY_NEW_TENANT_CONCURRENT_STREAMS",
                UNLIMITED));
        // What the caller set wins: settings are compared in this way.
        environment.keySet().removeAll(System.getenv().keySet());
        var command = List.of(
                "deploy/local/up",
                "--engine",
                "chat",
                "--engine-url",
                upstream,
                "--model-name",
                "bench",
                "--port",
                Integer.toString(StartedProgram.freePort()));
        var suite = new BenchSuite(state, StartedProgram.start("up", command, environment, folder));
        suite.up.await(() -> Files.exists(state.resolve("ready")), START_SECONDS_MAX);
        return suite;
    }

    /// By Chat, which stores nothing, and by Responses, stored.
    List<LoadTarget> targets() {
        var exports = new HashMap<String, String>();
        var matcher = EXPORT.matcher(read(state.resolve("env")));
        while (matcher.find()) {
            exports.put(matcher.group(1), matcher.group(2));
        }
        var uri = URI.create(exports.get("COUNTERPOINT_URL") + "/v1");
        var headers = Map.of("Authorization", "Bearer " + exports.get("COUNTERPOINT_API_KEY"));
        return List.of(
                new LoadTarget("suite, Chat", uri, Api.CHAT, headers),
                new LoadTarget("suite, Responses", uri, Api.RESPONSES, headers));
    }

    /// What each of its processes has used, the launcher's included.
    Map<String, ProcessUse> use() {
        var use = of(ProcessUse::ofTree);
        var launcher = Long.parseLong(read(state.resolve("up.pid")).strip());
        ProcessHandle.of(launcher).ifPresent(process -> use.put("launcher", ProcessUse.of(process)));
        return use;
    }

    /// What the threads of each process have used.
    Map<String, ThreadUse> threads() {
        return of(ThreadUse::of);
    }

    private <T> Map<String, T> of(Function<ProcessHandle, T> use) {
        var all = new LinkedHashMap<String, T>();
        read(state.resolve("processes"))
                .lines()
                .map(line -> line.split(" "))
                .forEach(fields -> ProcessHandle.of(Long.parseLong(fields[1]))
                        .ifPresent(process -> all.put(fields[0], use.apply(process))));
        return all;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        up.close();
        delete(state);
    }

    static void delete(Path folder) {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException failure) {
            System.err.println(folder + " is not deleted: " + failure.getMessage());
        }
    }
}
