package dev.counterpoint.local.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FaultProxyTest {
    private static final int SHORT_MILLIS = 200;
    private static final int LONG_MILLIS = 10_000;

    private ServerSocket target;
    private FaultProxy proxy;

    @BeforeEach
    void start() throws IOException {
        target = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
        proxy = new FaultProxy(target.getLocalPort());
        Thread.ofVirtual().start(this::echo);
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        target.close();
    }

    private void echo() {
        while (!target.isClosed()) {
            try {
                var caller = target.accept();
                Thread.ofVirtual().start(() -> {
                    try (caller) {
                        caller.getInputStream().transferTo(caller.getOutputStream());
                    } catch (IOException cut) {
                        // What is tested.
                    }
                });
            } catch (IOException closed) {
                // The end of the test.
            }
        }
    }

    private Socket connect() throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        socket.setSoTimeout(LONG_MILLIS);
        return socket;
    }

    private static int ask(Socket socket) throws IOException {
        socket.getOutputStream().write(42);
        return socket.getInputStream().read();
    }

    @Test
    void passesBytesBothWays() throws Exception {
        try (var socket = connect()) {
            assertThat(ask(socket)).isEqualTo(42);
        }
    }

    @Test
    void keepsAConnectionThroughAStallAndLosesNoByte() throws Exception {
        try (var socket = connect()) {
            ask(socket);
            proxy.stall();
            socket.setSoTimeout(SHORT_MILLIS);
            assertThatThrownBy(() -> ask(socket)).isInstanceOf(SocketTimeoutException.class);

            proxy.heal();

            socket.setSoTimeout(LONG_MILLIS);
            assertThat(socket.getInputStream().read()).isEqualTo(42);
        }
    }

    @Test
    void breaksWhatIsConnectedAndTakesNobodyUntilItIsHealed() throws Exception {
        try (var socket = connect()) {
            ask(socket);

            proxy.cut();

            assertThat(isBroken(socket)).isTrue();
        }
        try (var newcomer = connect()) {
            assertThat(isBroken(newcomer)).isTrue();
        }
        proxy.heal();
        try (var again = connect()) {
            assertThat(ask(again)).isEqualTo(42);
        }
    }

    private static boolean isBroken(Socket socket) {
        try {
            return ask(socket) < 0;
        } catch (IOException reset) {
            return true;
        }
    }
}
