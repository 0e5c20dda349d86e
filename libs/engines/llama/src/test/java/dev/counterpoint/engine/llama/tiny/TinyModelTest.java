package dev.counterpoint.engine.llama.tiny;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.engine.llama.Sha256;
import dev.counterpoint.engine.llama.UnusableModelException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TinyModelTest {
    private static final String MADE_UP = "made-up-q8_0";
    private static final FileTime LONG_AGO = FileTime.fromMillis(0);

    @TempDir
    static Path made;

    @TempDir
    Path folder;

    private static Path file;

    @BeforeAll
    static void make() {
        file = new TinyModel(MADE_UP).expandedIn(made);
    }

    /// The checksums are of what `tiny.export` of the training program makes of the same parameters; `tests.made_up`
    /// writes those of the models that learned nothing.
    @ParameterizedTest
    @ValueSource(strings = {TinyModel.NAME, MADE_UP, "made-up-f16"})
    void isByteForByteWhatTheTrainingProgramMakes(String name) throws IOException {
        var expanded = new TinyModel(name).expandedIn(name.equals(MADE_UP) ? made : folder);

        assertThat(sums(name)).contains(Sha256.of(expanded) + "  " + name + ".gguf");
    }

    @Test
    void isMadeOnceAndTakenFromTheFolderAfterwards() throws IOException {
        var mine = copyWithAge();

        assertThat(new TinyModel(MADE_UP).expandedIn(folder)).isEqualTo(mine);
        assertThat(Files.getLastModifiedTime(mine)).isEqualTo(LONG_AGO);
    }

    @Test
    void isMadeAgainWhenTheFileIsCut() throws IOException {
        var mine = copyWithAge();
        try (var channel = Files.newByteChannel(mine, java.nio.file.StandardOpenOption.WRITE)) {
            channel.truncate(1000);
        }

        new TinyModel(MADE_UP).expandedIn(folder);

        assertThat(mine).hasSameBinaryContentAs(file);
    }

    @Test
    void isMadeByOneWhileTheOthersWait() throws IOException {
        var all = Stream.generate(() -> CompletableFuture.supplyAsync(() -> new TinyModel(MADE_UP).expandedIn(folder)))
                .limit(3)
                .toList();

        assertThat(all).extracting(CompletableFuture::join).containsOnly(folder.resolve(file.getFileName()));
        try (var files = Files.list(folder)) {
            assertThat(files)
                    .extracting(each -> each.getFileName().toString())
                    .containsExactlyInAnyOrder(file.getFileName().toString(), MADE_UP + ".lock");
        }
    }

    @Test
    void saysWhichFileCannotBeMade() throws IOException {
        var notAFolder = Files.createFile(folder.resolve("file"));

        assertThatThrownBy(() -> new TinyModel(MADE_UP).expandedIn(notAFolder))
                .isInstanceOf(UnusableModelException.class)
                .hasMessageContaining(notAFolder + "/" + file.getFileName() + " cannot be made: ");
    }

    private Path copyWithAge() throws IOException {
        var copy = Files.copy(file, folder.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
        return Files.setLastModifiedTime(copy, LONG_AGO);
    }

    private static String sums(String name) throws IOException {
        try (var in = TinyModel.class.getResourceAsStream(name + ".sha256")) {
            assertThat(in).isNotNull();
            return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.US_ASCII);
        }
    }
}
