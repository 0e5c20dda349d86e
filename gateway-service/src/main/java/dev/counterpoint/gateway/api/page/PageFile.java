package dev.counterpoint.gateway.api.page;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/// A file of the page, read and compressed once. Thread-safe.
///
/// @param type its content type
/// @param hash SHA-256 in Base64
record PageFile(String type, Buffer plain, Buffer compressed, String hash) {
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml");

    /// @param path below the folder `web` of the JAR, such as `/index.html`
    /// @throws IllegalStateException when the JAR has no such file, or it is of no known type
    static PageFile read(String path) {
        var type = TYPES.get(path.substring(path.lastIndexOf('.') + 1));
        try (var in = PageFile.class.getResourceAsStream("/web" + path)) {
            if (in == null || type == null) {
                throw new IllegalStateException("the page has no file " + path);
            }
            return of(type, in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PageFile of(String type, byte[] bytes) throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write(bytes);
        }
        try {
            var hash = Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-256").digest(bytes));
            return new PageFile(type, Buffer.buffer(bytes), Buffer.buffer(packed.toByteArray()), hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The same file with another text in one place.
    PageFile with(String found, String instead) {
        try {
            return of(type, text().replace(found, instead).getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String text() {
        return plain.toString(StandardCharsets.UTF_8);
    }

    /// Answers with the file, or with 304 where the client has it already.
    void send(RoutingContext http, Map<String, String> headers) {
        var request = http.request();
        boolean zipped = accepts(request.getHeader(HttpHeaders.ACCEPT_ENCODING));
        var body = zipped ? compressed : plain;
        var tag = '"' + hash + (zipped ? "-gzip" : "") + '"';
        var response = http.response()
                .putHeader(HttpHeaders.CONTENT_TYPE, type)
                .putHeader(HttpHeaders.ETAG, tag)
                .putHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
        headers.forEach(response::putHeader);
        if (tag.equals(request.getHeader(HttpHeaders.IF_NONE_MATCH))) {
            response.setStatusCode(304).end();
            return;
        }
        if (zipped) {
            response.putHeader(HttpHeaders.CONTENT_ENCODING, "gzip");
        }
        if (request.method() == HttpMethod.HEAD) {
            response.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length()))
                    .end();
        } else {
            response.end(body);
        }
    }

    private static boolean accepts(@Nullable String encodings) {
        return encodings != null && encodings.contains("gzip") && !encodings.contains("gzip;q=0");
    }
}
