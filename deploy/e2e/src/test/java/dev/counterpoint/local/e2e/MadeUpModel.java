package dev.counterpoint.local.e2e;

import static org.junit.jupiter.api.Assumptions.abort;

import dev.counterpoint.infra.ChildProcess;
import dev.counterpoint.infra.ProcessSpec;
import dev.counterpoint.infra.RepositoryRoot;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A gpt-oss model that talks nonsense, always the same, and never stops. The tests of `libs/engines/llama`, which know
/// the format, write it.
record MadeUpModel(Path file) {
    static final String NAME = "made-up";
    private static final String PACKAGE = "dev.counterpoint.engine.llama.";
    private static final Duration WRITING_MAX = Duration.ofMinutes(10);

    /// The small one. Without libllama the test is skipped, unless `-Dllama=required`.
    static MadeUpModel in(Path folder) {
        return write(folder.resolve("made-up.gguf"));
    }

    /// @param size layers and width, for one that is not small
    static MadeUpModel write(Path file, String... size) {
        var arguments = new ArrayList<>(List.of(file.toString()));
        arguments.addAll(List.of(size));
        try (var writer = program("GgufTestModel", Path.of(file + ".log"), arguments)) {
            var answer = writer.awaitLine(" ", WRITING_MAX);
            if (!answer.startsWith("made ")) {
                abort(answer);
            }
        }
        return new MadeUpModel(file);
    }

    /// Starts a program that stands among the tests of the engine, with the worker's classes.
    static ChildProcess program(String name, Path log, List<String> arguments) {
        var root = RepositoryRoot.find();
        var application = root.resolve("inference-worker/target/quarkus-app");
        var classpath = String.join(
                ":",
                root.resolve("libs/engines/llama/target/test-classes").toString(),
                application.resolve("quarkus-run.jar").toString(),
                application.resolve("lib/*").toString());
        var all = new ArrayList<>(List.of("-Xmx1g", "--enable-native-access=ALL-UNNAMED"));
        all.add("-Dllama=" + System.getProperty("llama", "optional"));
        all.add("-Dllama.folder=" + libraryFolder());
        all.addAll(List.of("-cp", classpath, PACKAGE + name));
        all.addAll(arguments);
        return ProcessSpec.java(name, log, all.toArray(String[]::new)).start();
    }

    /// What tells a worker to run it.
    Map<String, String> environment() {
        var variables = new HashMap<String, String>();
        variables.put("WORKER_ENGINE", "llama");
        variables.put("WORKER_MODEL_NAME", NAME);
        variables.put("WORKER_MODEL_PATH", file.toString());
        if (!libraryFolder().isEmpty()) {
            variables.put("WORKER_LLAMA_LIBRARY_FOLDER", libraryFolder());
        }
        return variables;
    }

    private static String libraryFolder() {
        return System.getProperty("llama.folder", "");
    }
}
