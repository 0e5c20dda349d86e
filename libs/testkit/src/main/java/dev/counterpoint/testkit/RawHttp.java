package dev.counterpoint.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// One connection to a server, byte by byte: for requests that no HTTP client would send. For one thread.
public final class RawHttp implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 30_000;

    private final Socket socket;

    /// @param server whose host and port are meant
    public RawHttp(URI server) throws IOException {
        socket = new Socket(server.getHost(), server.getPort());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
    }

    /// Sends text as it stands; a line ends in `\n` here and in CR LF on the wire.
    public RawHttp send(String text) throws IOException {
        socket.getOutputStream().write(text.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().flush();
        return this;
    }

    /// The head of the next answer, or what of it came before the server closed.
    public String head() throws IOException {
        var head = new StringBuilder();
        InputStream in = socket.getInputStream();
        for (int next = in.read(); next >= 0; next = in.read()) {
            head.append((char) next);
            if (head.toString().endsWith("\r\n\r\n")) {
                break;
            }
        }
        return head.toString();
    }

    /// The status of the next answer; 0 when the server closed without one.
    public int status() throws IOException {
        var head = head();
        return head.isEmpty() ? 0 : Integer.parseInt(head.split(" ", 3)[1]);
    }

    /// All that comes until the server closes.
    public String rest() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /// Whether the server closes the connection in this time; what comes before is dropped.
    public boolean closesWithin(Duration time) throws IOException {
        long end = System.nanoTime() + time.toNanos();
        try {
            for (long left = time.toMillis(); left > 0; left = (end - System.nanoTime()) / 1_000_000) {
                socket.setSoTimeout(Math.toIntExact(left));
                if (socket.getInputStream().read() < 0) {
                    return true;
                }
            }
            return false;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true; // reset
        }
    }

    /// Closes with a reset, as a client that crashes does.
    public void abort() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
