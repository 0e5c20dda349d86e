package dev.counterpoint.gateway.api.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.Api.Answer;
import dev.counterpoint.gateway.GatewayDatabase;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@QuarkusTest
@WithTestResource(GatewayDatabase.class)
class PageIT {
    private static final Api NOBODY = new Api("");
    private static final Path MADE = Path.of("web/dist");
    private static final int COMPRESSED_BYTES_MAX = 250_000;

    @ParameterizedTest(name = "{0}")
    @CsvSource({"/, index", "/console, console", "/console/responses/resp_1, console"})
    void servesThePageWithoutAKeyAndLetsItRunItsOwnScriptAlone(String path, String name) throws Exception {
        // When
        var page = NOBODY.get(path);
        // Then
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("content-type")).isEqualTo("text/html; charset=utf-8");
        assertThat(page.header("cache-control")).isEqualTo("no-cache");
        assertThat(page.header("x-content-type-options")).isEqualTo("nosniff");
        assertThat(page.header("referrer-policy")).isEqualTo("no-referrer");
        assertThat(page.header("cross-origin-opener-policy")).isEqualTo("same-origin");
        assertThat(page.header("cross-origin-resource-policy")).isEqualTo("same-origin");
        assertThat(new String(page.http().body(), StandardCharsets.UTF_8))
                .isEqualTo(Files.readString(MADE.resolve(name + ".html")).replace("console=\"off", "console=\"on"));
        var script = Files.readAllBytes(asset(name));
        var hash = Base64.getEncoder()
                .encodeToString(MessageDigest.getInstance("SHA-256").digest(script));
        assertThat(page.header("content-security-policy"))
                .contains("default-src 'none'; script-src 'sha256-" + hash + "'; style-src 'self'")
                .contains("connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
                .contains("require-trusted-types-for 'script'; trusted-types 'none'")
                .doesNotContain("unsafe");
        assertThat(new String(page.http().body(), StandardCharsets.UTF_8)).contains("integrity=\"sha256-" + hash);
    }

    @Test
    void servesEachAssetForEverAndCompressed() throws Exception {
        int compressed = 0;
        for (var made : assets()) {
            var path = "/assets/" + made.getFileName();
            // When
            var plain = NOBODY.get(path);
            var zipped = NOBODY.send(
                    NOBODY.request(path).header("Accept-Encoding", "gzip").GET());
            // Then
            assertThat(plain.http().body()).as(path).isEqualTo(Files.readAllBytes(made));
            assertThat(plain.header("cache-control")).contains("immutable");
            assertThat(plain.header("x-content-type-options")).isEqualTo("nosniff");
            assertThat(plain.header("content-type")).isEqualTo(type(path));
            assertThat(zipped.header("content-encoding")).isEqualTo("gzip");
            assertThat(new GZIPInputStream(
                                    new ByteArrayInputStream(zipped.http().body()))
                            .readAllBytes())
                    .isEqualTo(plain.http().body());
            compressed += zipped.http().body().length;
        }
        assertThat(compressed).isPositive().isLessThan(COMPRESSED_BYTES_MAX);
    }

    @Test
    void aPageThatTheBrowserHasIsNotSentAgain() {
        // Given
        var first = NOBODY.get("/");
        // When
        var again = known(first.header("etag"));
        var changed = known("\"another\"");
        var head = NOBODY.method("HEAD", "/", "");
        // Then
        assertThat(again.status()).isEqualTo(304);
        assertThat(again.http().body()).isEmpty();
        assertThat(changed.status()).isEqualTo(200);
        assertThat(head.header("content-length"))
                .isEqualTo(Integer.toString(first.http().body().length));
        assertThat(head.http().body()).isEmpty();
    }

    @Test
    void otherPathsAnswerAsTheApiDoes() {
        for (var answer : List.of(
                NOBODY.get("/assets/nothing.js"),
                NOBODY.get("/index.html"),
                NOBODY.get("/console.html"),
                NOBODY.get("/assets/../application.properties"),
                NOBODY.post("/", "{}"))) {
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.json().at("/error/code").asText()).isEqualTo("unknown_url");
        }
    }

    private static Answer known(String tag) {
        return NOBODY.send(NOBODY.request("/").header("If-None-Match", tag).GET());
    }

    private static String type(String path) {
        return path.endsWith(".js")
                ? "text/javascript; charset=utf-8"
                : path.endsWith(".css") ? "text/css; charset=utf-8" : "image/svg+xml";
    }

    private static Path asset(String page) throws Exception {
        return assets().stream()
                .filter(file -> file.getFileName().toString().matches(page + "-.*\\.js"))
                .findFirst()
                .orElseThrow();
    }

    private static List<Path> assets() throws Exception {
        try (var files = Files.list(MADE.resolve("assets"))) {
            return files.toList();
        }
    }
}
