package dev.counterpoint.local.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/// Asks by hand, with a window so small that nearly all of the answer waits at the gateway until it is read.
final class SlowSocket {
    private SlowSocket() {}

    /// @param port of the gateway
    /// @param body of a request for a response
    /// @return the connection, of whose answer nothing has been read
    static Socket ask(int port, String key, String body) throws IOException {
        var socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        var bytes = body.getBytes(UTF_8);
        socket.getOutputStream().write("""
                POST /v1/responses HTTP/1.1\r
                Host: localhost\r
                Authorization: Bearer %s\r
                Content-Type: application/json\r
                Content-Length: %d\r
                \r
                """.formatted(key, bytes.length).getBytes(UTF_8));
        socket.getOutputStream().write(bytes);
        return socket;
    }
}
