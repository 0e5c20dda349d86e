package dev.counterpoint.engine.llama;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.LongConsumer;

/// Downloads over HTTP. Ends when a server is silent.
final class Download {
    private static final int SILENCE_MILLIS = 20_000;
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int PARTIAL = 206;
    private static final int BEYOND_THE_END = 416;

    private Download() {}

    /// Continues a file that an earlier download left, where the server can.
    ///
    /// @param progress takes the bytes that are in the file, often
    static void into(Path file, URI address, LongConsumer progress) throws IOException {
        long done = Files.exists(file) ? Files.size(file) : 0;
        var connection = open(address, done);
        boolean continues = connection.getResponseCode() == PARTIAL;
        done = continues ? done : 0;
        var how = continues ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING;
        try (var in = connection.getInputStream();
                var out = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, how)) {
            var buffer = new byte[BUFFER_BYTES];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                out.write(buffer, 0, n);
                done += n;
                progress.accept(done);
            }
        }
    }

    /// @param from first byte that is wanted
    static HttpURLConnection open(URI address, long from) throws IOException {
        if (!(address.toURL().openConnection() instanceof HttpURLConnection connection)) {
            throw new IOException(address + " is no address of HTTP");
        }
        connection.setConnectTimeout(SILENCE_MILLIS);
        connection.setReadTimeout(SILENCE_MILLIS);
        connection.setRequestProperty("Accept", "application/vnd.pypi.simple.v1+json, text/html;q=0.9, */*;q=0.1");
        if (from > 0) {
            connection.setRequestProperty("Range", "bytes=" + from + "-");
        }
        int status = connection.getResponseCode();
        if (status == BEYOND_THE_END && from > 0) { // complete, or of another file
            return open(address, 0);
        }
        if (status != 200 && !(from > 0 && status == PARTIAL)) {
            throw new IOException(address + " answers " + status);
        }
        return connection;
    }
}
