package dev.counterpoint.infra;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Finds the checkout that the running test belongs to, wherever in it the JVM was started.
public final class RepositoryRoot {
    private RepositoryRoot() {}

    /// The folder that holds `mvnw` and `libs`.
    ///
    /// @throws IllegalStateException outside a checkout
    public static Path find() {
        Path start = Path.of("").toAbsolutePath();
        for (@Nullable Path folder = start; folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve("mvnw")) && Files.isDirectory(folder.resolve("libs"))) {
                return folder;
            }
        }
        throw new IllegalStateException(start + " is not inside a checkout of Counterpoint");
    }
}
