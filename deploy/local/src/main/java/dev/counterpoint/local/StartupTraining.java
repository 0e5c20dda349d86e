package dev.counterpoint.local;

import dev.counterpoint.infra.FreePort;
import dev.counterpoint.infra.ProcessSpec;
import dev.counterpoint.infra.RepositoryRoot;
import dev.counterpoint.infra.StartupCache;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;

/// Makes the start-up caches of broker and services, once for each build: starts the suite in a folder of its own,
/// asks it a little, stops it, and has each JVM's record turned into its [StartupCache].
public final class StartupTraining {
    private static final Duration ASSEMBLY_MAX = Duration.ofMinutes(3);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(60);
    private static final int CALLERS = 16;
    /// Of each caller, over each API.
    private static final int ANSWERS = 10;
    private static final int OK = 200;

    private final Path repository;
    private final StateFolder state;
    private final PrintStream log;

    private StartupTraining(Path repository, StateFolder state) {
        this.repository = repository;
        this.state = state;
        this.log = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    }

    /// A failure is told and is none of the build: everything runs without caches, only later.
    public static void main(String[] arguments) throws IOException {
        var repository = RepositoryRoot.find();
        if (!Suite.missing(repository).isEmpty()
                || jars(repository).entrySet().stream().allMatch(StartupTraining::isFresh)) {
            return;
        }
        System.out.println("Making start-up caches");
        var folder = Files.createTempDirectory("counterpoint-training");
        try {
            var training = new StartupTraining(repository, StateFolder.in(folder));
            training.record();
            training.assemble();
        } catch (IllegalStateException failure) {
            System.out.println("No start-up caches, so that services start slower: " + failure.getMessage());
        } finally {
            delete(folder);
        }
        // The HTTP client's threads would live on.
        System.exit(0);
    }

    private static Map<StartupCache, Path> jars(Path repository) throws IOException {
        var jars = new HashMap<StartupCache, Path>();
        Suite.jars(repository).forEach(jar -> jars.put(StartupCache.of(jar), jar));
        try (var built = Files.newDirectoryStream(repository.resolve("libs/local-infra/target"), "*.jar")) {
            built.forEach(jar -> jars.put(StartupCache.ofBroker(), jar));
        }
        return jars;
    }

    private static boolean isFresh(Map.Entry<StartupCache, Path> program) {
        return program.getKey().file().toFile().lastModified()
                > program.getValue().toFile().lastModified();
    }

    private void record() {
        var options = Options.parse(new String[] {"--engine", "simulated", "--port", String.valueOf(FreePort.find())});
        var secrets = LocalSecrets.of(state);
        RootKeysetSetup.ensure(repository, state);
        var suite = new Suite(repository, state, options, secrets, SuiteWiring.RECORDED);
        var tiers = suite.tiers();
        tiers.stream().flatMap(List::stream).forEach(part -> state.rotate(part.name()));
        var supervisor = new Supervisor(tiers, new ProcessRegistry(state.processes()), log);
        var stop = new Thread(supervisor::stop, "stop");
        Runtime.getRuntime().addShutdownHook(stop);
        try {
            supervisor.start();
            ask(suite.environment().exports(suite.gatewayUrl(), suite.auditUrl()));
        } finally {
            supervisor.stop();
            Runtime.getRuntime().removeShutdownHook(stop);
        }
    }

    /// As many answers over each API as make methods of the path known to the compiler.
    private static void ask(Map<String, String> exports) {
        var model =
                StartupSummary.awaitModel(exports).map(StartupSummary.Model::id).orElse("none");
        try (var client = HttpClient.newHttpClient();
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = new ArrayList<Callable<Void>>();
            for (int i = 0; i < CALLERS; i++) {
                calls.add(() -> {
                    for (int n = 0; n < ANSWERS; n++) {
                        post(client, exports, "/v1/responses", """
                                {"model":"%s","input":"Hi.","stream":true}""".formatted(model));
                        post(client, exports, "/v1/chat/completions", """
                                {"model":"%s","messages":[{"role":"user","content":"Hi."}],"stream":%b}\
                                """.formatted(model, n > 0));
                    }
                    return null;
                });
            }
            for (var call : callers.invokeAll(calls)) {
                call.get();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        } catch (ExecutionException failure) {
            throw new IllegalStateException("no answer", failure);
        }
    }

    private static void post(HttpClient client, Map<String, String> exports, String path, String body)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(exports.get("COUNTERPOINT_URL") + path))
                .header("Authorization", "Bearer " + exports.get("COUNTERPOINT_API_KEY"))
                .header("Content-Type", "application/json")
                .timeout(ANSWER_MAX)
                .POST(BodyPublishers.ofString(body))
                .build();
        int status = client.send(request, BodyHandlers.discarding()).statusCode();
        if (status != OK) {
            throw new IOException("%d of %s".formatted(status, path));
        }
    }

    private void assemble() throws IOException {
        for (var program : jars(repository).entrySet()) {
            var cache = program.getKey();
            Files.deleteIfExists(cache.file());
            if (!Files.exists(cache.recorded())) {
                throw new IllegalStateException("nothing was recorded for " + cache.file());
            }
            try (var java = assembly(cache, program.getValue()).start()) {
                if (!java.endsWithin(ASSEMBLY_MAX) || !Files.exists(cache.file())) {
                    throw new IllegalStateException("none was made as " + cache.file() + java.tail());
                }
            }
            Files.delete(cache.recorded());
        }
    }

    private ProcessSpec assembly(StartupCache cache, Path program) {
        if (cache.equals(StartupCache.ofBroker())) {
            return ProcessSpec.broker(state.log("assembly"), cache.assembling(), List.of())
                    .in(repository);
        }
        var arguments = new ArrayList<>(StartupCache.SERVICE_FLAGS);
        arguments.addAll(cache.assembling());
        arguments.addAll(List.of("-jar", program.toString()));
        return ProcessSpec.java("assembly", state.log("assembly"), arguments.toArray(String[]::new))
                .in(repository);
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
