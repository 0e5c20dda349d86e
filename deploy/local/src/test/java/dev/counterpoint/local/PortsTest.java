package dev.counterpoint.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortsTest {
    @TempDir
    Path folder;

    @Test
    void keepsAPortFromStartToStart() {
        int first = new Ports(folder.resolve("ports")).of("kafka");
        assertThat(new Ports(folder.resolve("ports")).of("kafka")).isEqualTo(first);
    }

    @Test
    void takesAnotherWhenSomebodyElseHasIt() throws Exception {
        int first = new Ports(folder.resolve("ports")).of("kafka");
        try (var somebody = new ServerSocket(first, 1, InetAddress.getByName("127.0.0.1"))) {
            assertThat(somebody.isBound()).isTrue();
            assertThat(new Ports(folder.resolve("ports")).of("kafka")).isNotEqualTo(first);
        }
    }

    @Test
    void saysTheSameWhileItsOwnProcessListensThere() throws Exception {
        var ports = new Ports(folder.resolve("ports"));
        int first = ports.of("audit");
        try (var own = new ServerSocket(first, 1, InetAddress.getByName("127.0.0.1"))) {
            assertThat(own.isBound()).isTrue();
            assertThat(ports.of("audit")).isEqualTo(first);
        }
    }
}
