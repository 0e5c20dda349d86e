package dev.counterpoint.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.stream.IntStream;
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

    @Test
    void givesNoPortTwiceThoughNobodyListensYet() {
        var given = new HashSet<Integer>();
        // As many random draws of 10,000 would meet with all but certainty.
        for (int draw = 0; draw < 500; draw++) {
            int first = FreePort.findAdjacent(2);
            assertThat(IntStream.of(first, first + 1, FreePort.find())).allMatch(given::add);
        }
    }
}
