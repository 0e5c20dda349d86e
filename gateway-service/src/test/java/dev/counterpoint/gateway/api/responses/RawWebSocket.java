package dev.counterpoint.gateway.api.responses;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.counterpoint.gateway.Api;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;

/// A WebSocket that sends each message in one frame and reads only when it is asked to.
final class RawWebSocket implements AutoCloseable {
    private static final int TEXT = 0x81;
    private static final int PING = 0x89;
    private static final int PING_BYTES = 125;
    private static final int MASKED_LONG = 0xff;
    private static final int LONG_FORM_MIN = 65_536;
    private static final long WHILE_NANOS = 2_000_000_000;
    private static final int WAIT_MAX_MILLIS = 20_000;

    private final Socket socket;

    RawWebSocket(String key) throws IOException {
        var uri = Api.uri("/v1/responses");
        socket = new Socket(uri.getHost(), uri.getPort());
        socket.setSoTimeout(WAIT_MAX_MILLIS);
        socket.getOutputStream()
                .write("""
                GET %s HTTP/1.1\r
                Host: %s\r
                Authorization: Bearer %s\r
                Connection: Upgrade\r
                Upgrade: websocket\r
                Sec-WebSocket-Version: 13\r
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
                \r
                """.formatted(uri.getPath(), uri.getAuthority(), key).getBytes(UTF_8));
        readUntil("\r\n\r\n");
    }

    /// Under a mask of zeros the text stays as it is. Blanks make each frame so long that its length has the long form.
    void send(String message) throws IOException {
        var text = (message + " ".repeat(LONG_FORM_MIN)).getBytes(UTF_8);
        var frame = new DataOutputStream(socket.getOutputStream());
        frame.writeByte(TEXT);
        frame.writeByte(MASKED_LONG);
        frame.writeLong(text.length);
        frame.writeInt(0);
        frame.write(text);
        frame.flush();
    }

    /// Sends pings and reads nothing.
    ///
    /// @return the bytes of as many answers
    long ping(int times) throws IOException {
        var frame = new byte[2 + 4 + PING_BYTES];
        frame[0] = (byte) PING;
        frame[1] = (byte) (0x80 | PING_BYTES);
        var out = new BufferedOutputStream(socket.getOutputStream(), LONG_FORM_MIN);
        for (int i = 0; i < times; i++) {
            out.write(frame);
        }
        out.flush();
        return (2L + PING_BYTES) * times;
    }

    /// @return how many bytes come in two seconds
    long readForAWhile() throws IOException {
        var some = new byte[LONG_FORM_MIN];
        long all = 0;
        long start = System.nanoTime();
        for (int read = 0; read >= 0 && System.nanoTime() - start < WHILE_NANOS; ) {
            read = socket.getInputStream().read(some); // the server's pings come all the time
            all += read;
        }
        return all;
    }

    /// All bytes that came, as text, up to these words.
    String readUntil(String words) throws IOException {
        var read = new ByteArrayOutputStream();
        while (!read.toString(UTF_8).contains(words)) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                throw new IOException("closed after: " + read.toString(UTF_8));
            }
            read.write(next);
        }
        return read.toString(UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
