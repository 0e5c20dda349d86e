package dev.counterpoint.bench;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/// A plain HTTP/1.1 connection, as cheap as can be: the answer's lines come with the time when their bytes were read.
final class RawConnection implements AutoCloseable {
    private static final int CONNECT_MILLIS = 10_000;
    private static final int OK = 200;

    /// Takes a line of a body.
    interface LineListener {
        void line(String line, long now);
    }

    private final Socket socket = new Socket();
    private final byte[] buffer = new byte[8192];
    private byte[] line = new byte[1024];
    private int length;
    private int position;
    private int limit;
    private long now;
    private boolean chunked;
    private boolean closing;
    private long contentLength;

    RawConnection(InetSocketAddress address, int silenceMillisMax) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(silenceMillisMax);
        socket.connect(address, CONNECT_MILLIS);
    }

    /// Sends a request and reads the answer's head.
    ///
    /// @return its status
    int send(byte[] request) throws IOException {
        chunked = false;
        closing = false;
        contentLength = -1;
        socket.getOutputStream().write(request);
        var first = readLine();
        int status = Integer.parseInt(first.split(" ")[1]);
        for (var header = readLine(); !header.isEmpty(); header = readLine()) {
            header(header.toLowerCase(Locale.ROOT));
        }
        return status;
    }

    private void header(String header) {
        if (header.startsWith("transfer-encoding:")) {
            chunked = header.contains("chunked");
        } else if (header.startsWith("connection:")) {
            closing = header.contains("close");
        } else if (header.startsWith("content-length:")) {
            contentLength = Long.parseLong(header.substring(15).strip());
        }
    }

    /// Reads the body to its end.
    void body(LineListener listener) throws IOException {
        length = 0;
        if (chunked) {
            for (int size = ChunkedBody.sizeOf(readLine()); size > 0; size = ChunkedBody.sizeOf(readLine())) {
                take(size, listener);
                skipLineEnd();
            }
            skipLineEnd();
        } else if (contentLength >= 0) {
            take(contentLength, listener);
        } else {
            closing = true;
            untilClosed(listener);
        }
    }

    /// Whether it can be asked again after its body has been read.
    boolean isReusable() {
        return !closing;
    }

    static boolean isOk(int status) {
        return status == OK;
    }

    private void untilClosed(LineListener listener) throws IOException {
        try {
            take(Long.MAX_VALUE, listener);
        } catch (EOFException end) {
            // As it should be.
        }
    }

    private void take(long bytes, LineListener listener) throws IOException {
        for (long i = 0; i < bytes; i++) {
            byte next = next();
            if (next == '\n') {
                if (length > 0) {
                    listener.line(text(), now);
                }
                length = 0;
            } else {
                append(next);
            }
        }
    }

    private void skipLineEnd() throws IOException {
        while (next() != '\n') {
            // Only a carriage return, or a trailer that nobody needs.
        }
    }

    private String readLine() throws IOException {
        int kept = length;
        var saved = kept == 0 ? null : Arrays.copyOf(line, kept);
        length = 0;
        for (byte next = next(); next != '\n'; next = next()) {
            if (next != '\r') {
                append(next);
            }
        }
        var text = text();
        length = kept;
        if (saved != null) {
            System.arraycopy(saved, 0, line, 0, kept);
        }
        return text;
    }

    private String text() {
        return new String(line, 0, length, StandardCharsets.ISO_8859_1);
    }

    private void append(byte next) {
        if (length == line.length) {
            line = Arrays.copyOf(line, 2 * length);
        }
        line[length++] = next;
    }

    private byte next() throws IOException {
        if (position == limit) {
            limit = socket.getInputStream().read(buffer);
            position = 0;
            now = System.nanoTime();
            if (limit <= 0) {
                limit = 0;
                throw new EOFException("the other side closed the connection");
            }
        }
        return buffer[position++];
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
