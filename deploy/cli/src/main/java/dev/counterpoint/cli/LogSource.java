package dev.counterpoint.cli;

import dev.counterpoint.tlog.TileId;
import dev.counterpoint.tlog.TileStore;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A log to read: a folder, or an address with the paths of tlog-tiles.
///
/// @param authorization header for an address, null for none
record LogSource(URI place, @Nullable String authorization) implements TileStore {
    private static final int TIMEOUT_MILLIS = 30_000;
    private static final int BYTES_MAX = 1 << 20; // 256 leaves have a tenth of it

    /// @param token file with a bearer token
    static LogSource open(String place, @Nullable Path token) throws IOException {
        var address =
                place.matches("https?://.*") ? place : Path.of(place).toUri().toString();
        return new LogSource(
                URI.create(address.replaceFirst("/*$", "/")),
                token == null ? null : "Bearer " + Files.readString(token).strip());
    }

    /// The checkpoint, with signatures that are not verified yet.
    byte[] note() throws IOException {
        return get("checkpoint");
    }

    /// @throws FileNotFoundException for what the log does not have
    private byte[] get(String path) throws IOException {
        var connection = place.resolve(path).toURL().openConnection();
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        if (authorization != null) {
            connection.setRequestProperty("Authorization", authorization);
        }
        try (var content = connection.getInputStream()) {
            if (connection instanceof HttpURLConnection http && http.getResponseCode() != HttpURLConnection.HTTP_OK) {
                throw new IOException("the log answered " + http.getResponseCode()); // such as a redirection to https
            }
            return content.readNBytes(BYTES_MAX);
        }
    }

    @Override
    public Optional<byte[]> read(TileId id) {
        try {
            return Optional.of(get(id.path()));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void write(Map<TileId, byte[]> tiles) {
        throw new UnsupportedOperationException("this log is only read");
    }
}
