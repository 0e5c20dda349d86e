package dev.counterpoint.engine.llama;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PackageIndexTest {
    private static final String JSON = "application/vnd.pypi.simple.v1+json";

    @TempDir
    Path home;

    @Test
    void isTheOneOfOurVariableElseOfPipsElsePyPi() {
        var ours = Map.of(PackageIndex.VARIABLE, "https://ours.example", "PIP_INDEX_URL", "https://pips.example/");
        var pips = Map.of("PIP_INDEX_URL", "https://ada:secret@pips.example/simple");

        assertThat(of(ours)).hasToString("https://ours.example/");
        assertThat(of(pips)).hasToString("https://pips.example/simple/");
        assertThat(of(Map.of())).hasToString("https://pypi.org/simple/");
    }

    @ParameterizedTest
    @CsvSource({".config/pip/pip.conf", ".pip/pip.conf"})
    void isTheOneOfPipsFileInItsGlobalSection(String file) throws IOException {
        var place = home.resolve(file);
        Files.createDirectories(place.getParent());
        Files.writeString(place, """
                [install]
                index-url = https://install.example/
                [global]
                # index-url = https://comment.example/
                timeout = 60
                index-url = https://mirror.example/simple
                extra-index-url = https://extra.example/
                [search]
                index-url = https://search.example/
                """);

        assertThat(of(Map.of())).hasToString("https://mirror.example/simple/");
        assertThat(of(Map.of("PIP_INDEX_URL", "https://pips.example/"))).hasToString("https://pips.example/");
    }

    @Test
    void readsTheFileThatAVariableNames() throws IOException {
        var named = Files.writeString(home.resolve("named"), "[global]\nindex_url: https://named.example/\n");

        assertThat(of(Map.of("PIP_CONFIG_FILE", named.toString()))).hasToString("https://named.example/");
    }

    @ParameterizedTest
    @CsvSource({"../../files/x-1.whl", "/files/x-1.whl"})
    void findsAFileByItsNameInJsonAndInHtml(String address) throws IOException {
        var json = """
                {"files": [{"filename": "x-1.tar.gz", "url": "../../files/x-1.tar.gz"},
                {"filename": "x-1.whl", "url": "%s"}]}""".formatted(address);
        var html = """
                <a href="../../files/ax-1.whl">ax-1.whl</a>
                <A class="x" HREF='%s#sha256=12&amp;x'>x-1.whl</A>""".formatted(address);
        try (var server = new FileServer()
                .with("/json/x/", JSON, json.getBytes(UTF_8))
                .with("/html/x/", "text/html; charset=UTF-8", html.getBytes(UTF_8))) {
            assertThat(new PackageIndex(server.at("/json/")).find("x", "x-1.whl"))
                    .isEqualTo(server.at("/files/x-1.whl"));
            assertThat(new PackageIndex(server.at("/html/"))
                            .find("x", "x-1.whl")
                            .getPath())
                    .isEqualTo("/files/x-1.whl");
        }
    }

    @Test
    void saysWhatAnIndexLacks() throws IOException {
        try (var server = new FileServer().with("/x/", JSON, "{\"files\": []}".getBytes(UTF_8))) {
            var index = new PackageIndex(server.at("/"));

            assertThatThrownBy(() -> index.find("x", "x-1.whl")).hasMessageEndingWith("/x/ has no x-1.whl");
            assertThatThrownBy(() -> index.find("y", "y-1.whl")).hasMessageEndingWith("/y/ answers 404");
        }
    }

    private URI of(Map<String, String> environment) {
        var all = new HashMap<>(Map.of("PIP_CONFIG_FILE", ""));
        all.putAll(environment);
        return PackageIndex.of(home.toString(), all).simple();
    }
}
