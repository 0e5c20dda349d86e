package dev.counterpoint.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Conformance data lies outside the repository, in the folder that the system property `conformance.dir` names.
/// Tests that need it are skipped where it is missing. Thread-safe.
public final class ConformanceFiles {
    private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

    private ConformanceFiles() {}

    /// The file or folder at `path` below that folder, or nothing where it is missing. One line on stdout for each test
    /// class then says so.
    ///
    /// @throws IllegalStateException when it is missing though the system property `conformance` says `required`
    public static Optional<Path> find(String path) {
        Path file = Path.of(System.getProperty("conformance.dir", "conformance"))
                .resolve(path)
                .toAbsolutePath()
                .normalize();
        if (Files.exists(file)) {
            return Optional.of(file);
        }
        if ("required".equals(System.getProperty("conformance"))) {
            throw new IllegalStateException("the conformance data is required and not at " + file);
        }
        String asking = testClass();
        if (TOLD.add(asking)) {
            System.out.println(asking + " skips what needs conformance data: nothing at " + file);
        }
        return Optional.empty();
    }

    /// The simple name of the test class that asks, directly or through its helpers.
    private static String testClass() {
        return StackWalker.getInstance()
                .walk(frames -> frames.map(frame ->
                                frame.getClassName().replaceFirst("\\$.*", "").replaceFirst(".*\\.", ""))
                        .filter(name -> name.endsWith("Test") || name.endsWith("IT"))
                        .findFirst())
                .orElse("A test");
    }
}
