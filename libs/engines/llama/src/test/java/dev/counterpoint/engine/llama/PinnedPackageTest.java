package dev.counterpoint.engine.llama;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PinnedPackageTest {
    private static final String CONTENT = "0123456789".repeat(100);
    private static final String SHA256 = "ab6c5f3237f551d208fc2ca5225a4cca20b3fd638794a804f0ed5549d5041734";

    @TempDir
    Path cache;

    private final List<Long> seen = Collections.synchronizedList(new ArrayList<>());
    private FileServer server;

    @BeforeEach
    void start() throws IOException {
        server = new FileServer().with("/a.tgz", "application/octet-stream", CONTENT.getBytes(UTF_8));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void continuesAtTheNextCallWhereAConnectionBroke() throws IOException {
        server.breaks.add(400);
        assertThatThrownBy(this::install).hasMessage("Premature EOF");

        var folder = install();

        assertThat(folder.resolve("file")).hasContent(CONTENT);
        assertThat(server.requests).containsExactly("/a.tgz 0", "/a.tgz 400");
        assertThat(seen).isSorted().contains(400L, 1000L);
        assertThat(part()).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({"4, false", "1000, true", "2000, true"})
    void beginsAgainWhereTheServerCannotContinue(int bytes, boolean ranges) throws IOException {
        Files.write(part(), new byte[bytes]);
        server.ranges = ranges;

        assertThat(install().resolve("file")).hasContent(CONTENT);
    }

    @Test
    void beginsAgainAfterTheRestOfAnotherFile() throws IOException {
        Files.writeString(part(), "of another file");
        assertThatThrownBy(this::install).hasMessageContaining("has SHA-256 ").hasMessageContaining(" instead of ");
        assertThat(cache.resolve("a")).doesNotExist();

        assertThat(install().resolve("file")).hasContent(CONTENT);
    }

    @Test
    void followsRedirectsAndTakesNothingButHttp() throws IOException {
        server.with("/moved.tgz", "/a.tgz", new byte[0]);

        assertThat(install(server.at("/moved.tgz")).resolve("file")).hasContent(CONTENT);
        assertThatThrownBy(() -> Download.into(part(), cache.toUri(), seen::add))
                .hasMessageContaining("is no address of HTTP");
    }

    @Test
    void downloadsOnceForAllWhoAskAtOnce() throws Exception {
        Callable<Path> install = this::install;
        try (var callers = Executors.newFixedThreadPool(4)) {
            for (var folder : callers.invokeAll(Collections.nCopies(4, install))) {
                assertThat(folder.get().resolve("file")).hasContent(CONTENT);
            }
        }

        assertThat(server.requests).hasSize(1);
    }

    private Path part() {
        return cache.resolve(".a.part");
    }

    private Path install() throws IOException {
        return install(server.at("/a.tgz"));
    }

    private Path install(URI address) throws IOException {
        return new PinnedPackage(cache, "a", SHA256).install(() -> address, seen::add, PinnedPackageTest::unpack);
    }

    private static void unpack(Path archive, Path folder) throws IOException {
        Files.copy(archive, folder.resolve("file"));
    }
}
