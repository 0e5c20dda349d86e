package dev.counterpoint.engine.llama;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.engine.llama.testkit.TestLibrary;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class LlamaTrialTest {
    @TempDir
    Path folder;

    @Test
    @EnabledIf(value = TestLibrary.IS_THERE, disabledReason = TestLibrary.ABSENT)
    void passesALibraryThatComputes() {
        assertThatCode(() -> LlamaTrial.run(TestLibrary.source(), GgufTestModel.file()))
                .doesNotThrowAnyException();
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, architectures = "amd64")
    void outlivesALibraryThatCrashes() throws IOException {
        var library = CrashingLibrary.in(folder);

        assertThatThrownBy(() -> LlamaTrial.run(operator(folder), GgufTestModel.file()))
                .isInstanceOf(LlamaUnavailableException.class)
                .hasMessageMatching(library + " ends the process that computes with it \\(exit status 134\\)");
    }

    @Test
    void saysWhyTheLibraryIsRefused() throws IOException {
        var library = Files.createFile(folder.resolve("libllama.so"));

        assertThatThrownBy(() -> LlamaTrial.run(operator(folder), GgufTestModel.file()))
                .isInstanceOf(LlamaUnavailableException.class)
                .hasMessageStartingWith(library + " cannot be loaded");
    }

    @Test
    void saysWhatIsWrongWithTheModel() throws IOException {
        Files.createFile(folder.resolve("libllama.so"));
        var none = folder.resolve("none.gguf");

        assertThatThrownBy(() -> LlamaTrial.run(operator(folder), none))
                .isInstanceOf(LlamaUnavailableException.class)
                .hasMessage("model file " + none + " does not exist");
    }

    private static LibrarySource operator(Path folder) {
        return new LibrarySource(Optional.of(folder), URI.create("http://localhost:1/"), folder);
    }
}
