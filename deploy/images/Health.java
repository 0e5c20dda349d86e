import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

/// The health check of the images, which have no shell and no curl: exit status 0 when the service says that it is ready.
final class Health {
    private static final String REQUEST =
            "GET /q/health/ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    private static final int WAIT_MILLIS_MAX = 4_000;

    private Health() {}

    public static void main(String[] arguments) {
        var named = System.getenv("QUARKUS_HTTP_PORT");
        int port = named == null ? 8080 : Integer.parseInt(named);
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(WAIT_MILLIS_MAX);
            socket.getOutputStream().write(REQUEST.getBytes(US_ASCII));
            var answer = new String(socket.getInputStream().readNBytes("HTTP/1.x 200".length()), US_ASCII);
            System.exit(answer.endsWith(" 200") ? 0 : 1);
        } catch (IOException away) {
            System.exit(1);
        }
    }
}
