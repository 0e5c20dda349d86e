package dev.counterpoint.servicekit;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DrainTest {
    @Test
    void waitsForWhatIsOpen() throws Exception {
        // Given
        var drain = drain(Duration.ofMinutes(1));
        drain.enter();
        drain.enter();
        drain.leave();

        // When
        try (var thread = Executors.newVirtualThreadPerTaskExecutor()) {
            var left = thread.submit((Callable<Integer>) drain::close);
            while (drain.enter()) {
                drain.leave(); // until the stop has begun
            }
            drain.leave();

            // Then
            assertThat(left.get(10, TimeUnit.SECONDS)).isZero();
        }
    }

    @Test
    void doesNotWaitForEver() throws Exception {
        var drain = drain(Duration.ofMillis(1));
        drain.enter();

        assertThat(drain.close()).isEqualTo(1);
    }

    @Test
    void takesNothingNewOnceItStops() throws Exception {
        var drain = drain(Duration.ofMinutes(1));

        assertThat(drain.close()).isZero();
        assertThat(drain.enter()).isFalse();
        assertThat(drain.opened()).isFalse();
    }

    @Test
    void takesRequestsWhileItSaysThatItIsNotReady() throws Exception {
        // Given
        var drain = new Drain(new DrainSettings(Duration.ofMinutes(1), Duration.ofMinutes(1), Refused.INSTANCE));

        // When
        try (var thread = Executors.newVirtualThreadPerTaskExecutor()) {
            var stop = thread.submit((Callable<Integer>) drain::close);
            while (drain.opened()) {
                Thread.onSpinWait(); // until the stop has begun
            }

            // Then
            assertThat(drain.enter()).isTrue();
            stop.cancel(true);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = HttpVersion.class,
            names = {"HTTP_1_1", "HTTP_2"})
    void fromItsFirstWordOnEachAnswerSendsAKeptConnectionElsewhere(HttpVersion version) throws Exception {
        // Given
        var drain = new Drain(new DrainSettings(Duration.ofMinutes(1), Duration.ofMinutes(1), Refused.INSTANCE));
        try (var server = new DrainedServer(drain, version);
                var thread = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = server.answer();
            var stop = thread.submit((Callable<Integer>) drain::close);
            while (drain.opened()) {
                Thread.onSpinWait(); // until the stop has begun
            }
            // When
            var second = server.answer();
            server.awaitClosed(second);
            var third = server.answer();
            // Then
            assertThat(second.connection()).as("kept").isSameAs(first.connection());
            assertThat(third.connection()).as("another one").isNotSameAs(second.connection());
            assertThat(List.of(first.status(), second.status(), third.status())).containsOnly(200);
            stop.cancel(true);
        }
    }

    @Test
    void leavesTheConnectionOfAnAnswerThatBeganBefore() throws Exception {
        // Given
        var drain = new Drain(new DrainSettings(Duration.ofMinutes(1), Duration.ofMinutes(1), Refused.INSTANCE));
        try (var server = new DrainedServer(drain, HttpVersion.HTTP_1_1);
                var thread = Executors.newVirtualThreadPerTaskExecutor()) {
            var begun = server.begun();
            var stop = thread.submit((Callable<Integer>) drain::close);
            while (drain.opened()) {
                Thread.onSpinWait(); // until the stop has begun
            }
            // When
            var first = server.whole(begun);
            var second = server.answer();
            // Then
            assertThat(second.connection()).as("kept").isSameAs(first.connection());
            server.awaitClosed(second);
            stop.cancel(true);
        }
    }

    @Test
    void waitsForAWebSocketUntilItIsClosed() throws Exception {
        // Given
        var drain = drain(Duration.ofMinutes(1));
        try (var server = new DrainedServer(drain, HttpVersion.HTTP_1_1);
                var thread = Executors.newVirtualThreadPerTaskExecutor()) {
            var socket = server.socket();
            var left = thread.submit((Callable<Integer>) drain::close);
            while (drain.enter()) {
                drain.leave(); // until the stop has begun
            }
            // When
            socket.close();
            // Then
            assertThat(left.get(10, TimeUnit.SECONDS)).isZero();
        }
    }

    private static Drain drain(Duration timeout) {
        return new Drain(new DrainSettings(Duration.ZERO, timeout, Refused.INSTANCE));
    }

    private enum Refused implements HttpProblem {
        INSTANCE;

        @Override
        public int status() {
            return 503;
        }

        @Override
        public String message() {
            return "stopping";
        }

        @Override
        public Map<String, String> headers() {
            return Map.of();
        }

        @Override
        public byte[] json() {
            return new byte[0];
        }
    }
}
