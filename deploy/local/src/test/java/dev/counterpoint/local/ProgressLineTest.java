package dev.counterpoint.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

    @Test
    void overwritesOneLineOnATerminal() {
        download(true);

        assertThat(shown.toString(UTF_8)).startsWith("\rDownloading SmolLM2").endsWith(" 93 of 93 MB\n");
        assertThat(shown.toString(UTF_8)).containsOnlyOnce("\n");
    }

    @Test
    void printsALineEachTenthWhereThereIsNoTerminal() {
        download(false);

        assertThat(shown.toString(UTF_8).lines())
                .hasSize(11)
                .allMatch(line -> line.matches("Downloading SmolLM2.*: \\d+ of 93 MB"));
    }

    private void download(boolean terminal) {
        var line = new ProgressLine(terminal, 93_000_000, new PrintStream(shown, true, UTF_8));
        for (long done = 0; done <= 93_000_000; done += 100_000) {
            line.accept(done);
        }
    }
}
