package dev.counterpoint.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Arrays;
import java.util.HashSet;
import java.util.stream.Collectors;
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

    @Test
    void givesNoPortThatAnotherProcessWasGiven() throws Exception {
        var other = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        OtherProcess.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var output = other.inputReader()) {
            var given = Arrays.stream(output.readLine().split(" "))
                    .map(Integer::valueOf)
                    .collect(Collectors.toSet());
            assertThat(given).hasSize(OtherProcess.DRAWS);
            assertThat(IntStream.range(0, OtherProcess.DRAWS).map(_ -> FreePort.find()))
                    .doesNotContainAnyElementsOf(given);
            int port = given.iterator().next();
            assertThat(FreePort.claim(port)).isFalse();
            other.getOutputStream().close();
            other.waitFor();
            assertThat(FreePort.claim(port)).isTrue();
        } finally {
            other.destroyForcibly();
        }
    }

    /// Lists the ports that it was given, and ends with its input.
    static final class OtherProcess {
        /// As many of 10,000 in each process would meet with all but certainty.
        private static final int DRAWS = 500;

        private OtherProcess() {}

        public static void main(String[] arguments) throws IOException {
            System.out.println(IntStream.range(0, DRAWS)
                    .mapToObj(_ -> Integer.toString(FreePort.find()))
                    .collect(Collectors.joining(" ")));
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
