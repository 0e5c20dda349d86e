package dev.counterpoint.worker.engine.llama;

import static org.junit.jupiter.api.Assumptions.abort;

import java.nio.file.Path;
import java.util.Optional;

/// The libllama that tests run with: `-Dllama.folder=DIR` for one of your own, else the pinned package.
final class TestLibrary {
    /// Native code in the tests' process has to be asked for.
    static final String ASKED_FOR = "optional|required";

    static final String NOT_ASKED_FOR = "llama engine not tested: ask for it by -Dllama=optional or -Dllama=required";

    private TestLibrary() {}

    /// Where it is. Without one the test is skipped, unless `-Dllama=required`.
    static LibrarySource source() {
        var folder = Optional.ofNullable(System.getProperty("llama.folder"))
                .filter(name -> !name.isBlank())
                .map(Path::of);
        var source = LibrarySource.ofEnvironment(folder);
        try {
            LlamaLibrary.find(source);
        } catch (LlamaUnavailableException e) {
            if ("required".equals(System.getProperty("llama"))) {
                throw e;
            }
            abort("llama engine not tested: " + e.getMessage());
        }
        return source;
    }
}
