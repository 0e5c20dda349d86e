package dev.counterpoint.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class FreePortTest {
    @Test
    void findsAPortThatAServerCanTake() throws Exception {
        int port = FreePort.find();
        try (var server = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
            assertThat(server.getLocalPort()).isEqualTo(port);
            assertThat(FreePort.isFree(port)).isFalse();
        }
    }
}
