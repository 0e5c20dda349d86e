package dev.counterpoint.engine.llama;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LlamaLibraryTest {
    private static final URI NOWHERE = URI.create("http://localhost:1/");

    @TempDir
    Path folder;

    @Test
    void takesTheLibraryFromTheOperatorsFolder() throws IOException {
        Files.createFile(folder.resolve("libllama-common.so"));
        Files.createFile(folder.resolve("libggml.so"));
        var library = Files.createFile(folder.resolve("libllama.v0.5.0.so"));

        assertThat(LlamaLibrary.find(operator(folder))).isEqualTo(library);
    }

    @Test
    void saysWhenTheOperatorsFolderIsMissingOrHasNoLibrary() {
        var missing = folder.resolve("missing");

        assertThatThrownBy(() -> LlamaLibrary.find(operator(missing)))
                .isInstanceOf(LlamaUnavailableException.class)
                .hasMessageContaining(missing + ", does not exist");
        assertThatThrownBy(() -> LlamaLibrary.find(operator(folder)))
                .isInstanceOf(LlamaUnavailableException.class)
                .hasMessage("no libllama in folder " + folder);
    }

    @Test
    void refusesMachinesThatThePackageIsNotBuiltFor() {
        LlamaLibrary.checkMachine("Linux", "amd64", "2.34");
        LlamaLibrary.checkMachine("Linux", "amd64", "2.41.9000");

        assertThatThrownBy(() -> LlamaLibrary.checkMachine("Mac OS X", "aarch64", ""))
                .hasMessageContaining("runs on Linux x86-64, this is Mac OS X aarch64");
        assertThatThrownBy(() -> LlamaLibrary.checkMachine("Linux", "amd64", "2.31"))
                .hasMessageContaining("needs glibc 2.34 or newer, this system has 2.31");
        assertThatThrownBy(() -> LlamaLibrary.checkMachine("Linux", "amd64", ""))
                .hasMessageContaining("another C library");
    }

    @Test
    void saysWhichFileCannotBeLoaded() {
        var library = folder.resolve("libllama.so");

        assertThatThrownBy(() -> LlamaApi.load(library))
                .isInstanceOf(LlamaUnavailableException.class)
                .hasMessageContaining(library + " cannot be loaded");
    }

    @Test
    void refusesAReleaseThatItWasNotMadeFor() {
        LlamaApi.checkVersion(folder, "0.5.0");
        LlamaApi.checkVersion(folder, "0.5.0-cuda");

        assertThatThrownBy(() -> LlamaApi.checkVersion(folder, "0.5.10"))
                .isInstanceOf(LlamaUnavailableException.class)
                .hasMessageContaining("is llama.cpp 0.5.10; this engine works with 0.5.0 only");
    }

    private static LibrarySource operator(Path folder) {
        return new LibrarySource(Optional.of(folder), NOWHERE, folder);
    }
}
