package dev.counterpoint.engine.llama;

import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenMask;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/// Tries libllama in a process of its own, so that a library that crashes on this machine takes nothing with it.
public final class LlamaTrial {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int REFUSED = 3;
    private static final int CONTEXT = 512;
    /// One class of each jar that the trial needs.
    private static final List<Class<?>> NEEDED = List.of(LlamaTrial.class, Engine.class, LoggerFactory.class);

    private LlamaTrial() {}

    /// Loads library and model in a new process, has it compute a token, and waits for that: a second or two.
    ///
    /// @throws LlamaUnavailableException when there is no library for this machine, or the process does
    ///     not end as it should
    public static void run(LibrarySource source, Path model) {
        var library = LlamaLibrary.find(source);
        try {
            var process = process(library, model).start();
            try {
                judge(library, process);
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new LlamaUnavailableException("libllama cannot be tried: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LlamaUnavailableException("interrupted while libllama was tried", e);
        }
    }

    private static ProcessBuilder process(Path library, Path model) {
        var command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+SuppressFatalErrorMessage",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                NEEDED.stream().map(LlamaTrial::origin).distinct().collect(Collectors.joining(File.pathSeparator)),
                LlamaTrial.class.getName(),
                String.valueOf(library.getParent()),
                model.toString());
        var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        // An agent or a debugger that was meant for this process.
        builder.environment().keySet().removeAll(Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
        return builder;
    }

    private static String origin(Class<?> needed) {
        return Path.of(needed.getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath())
                .toString();
    }

    private static void judge(Path library, Process process) throws IOException, InterruptedException {
        if (!process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new LlamaUnavailableException(library + " computes no token within " + LIMIT.toSeconds() + " s");
        }
        int status = process.exitValue();
        if (status == REFUSED) {
            throw new LlamaUnavailableException(
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
        }
        if (status != 0) {
            throw new LlamaUnavailableException(
                    library + " ends the process that computes with it (exit status " + status + ")");
        }
    }

    /// The program of the process of its own.
    ///
    /// @param arguments the library's folder, and the model's file
    public static void main(String[] arguments) throws InterruptedException {
        var folder = Path.of(arguments[0]);
        try {
            computeToken(new LibrarySource(Optional.of(folder), URI.create(""), folder), Path.of(arguments[1]));
        } catch (LlamaUnavailableException | UnusableModelException e) {
            System.out.println(e.getMessage());
            System.exit(REFUSED);
        }
    }

    private static void computeToken(LibrarySource source, Path model) throws InterruptedException {
        var capacity = new LlamaOptions.Capacity(1, CONTEXT, CONTEXT, CONTEXT, 0);
        var options = new LlamaOptions("trial", model, capacity, LlamaOptions.freeCores());
        var request = new GenerationRequest(
                "trial", new int[] {0}, new int[0], Sampling.GREEDY, 1, Set.of(), TokenMask.ALL, "");
        try (var engine = LlamaEngine.open(source, options);
                var generation = engine.start(request)) {
            var step = generation.next();
            while (!(step instanceof Step.Stopped stopped)) {
                step = generation.next();
            }
            if (stopped.reason() == StopReason.FAILED) {
                throw new LlamaUnavailableException("llama.cpp computes no token: " + stopped.detail());
            }
        }
    }
}
