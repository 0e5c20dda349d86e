package dev.counterpoint.engine.llama.testkit;

import dev.counterpoint.engine.llama.LibrarySource;
import dev.counterpoint.engine.llama.LlamaLibrary;
import dev.counterpoint.engine.llama.LlamaUnavailableException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The libllama that tests run with: `-Dllama.folder=DIR` for one of your own, else the pinned package, which is
/// downloaded once. `-Dllama=required` makes its absence a failure, `-Dllama=none` leaves these tests out.
public final class TestLibrary {
    /// For `@EnabledIf`.
    public static final String IS_THERE = "dev.counterpoint.engine.llama.testkit.TestLibrary#isThere";

    public static final String ABSENT = "there is no libllama";

    private static @Nullable Boolean there;

    private TestLibrary() {}

    /// Looked for once in a JVM; says why in one line when it is not there.
    ///
    /// @throws LlamaUnavailableException when it is not there and `-Dllama=required`
    public static synchronized boolean isThere() {
        if (there == null) {
            there = look(System.getProperty("llama", "optional"));
        }
        return there;
    }

    private static boolean look(String demand) {
        if (demand.equals("none")) {
            return false;
        }
        try {
            LlamaLibrary.find(source());
            return true;
        } catch (LlamaUnavailableException e) {
            if (demand.equals("required")) {
                throw e;
            }
            System.out.println("llama engine not tested: " + e.getMessage());
            return false;
        }
    }

    public static LibrarySource source() {
        var folder = Optional.ofNullable(System.getProperty("llama.folder"))
                .filter(name -> !name.isBlank())
                .map(Path::of);
        return LibrarySource.ofEnvironment(folder);
    }
}
