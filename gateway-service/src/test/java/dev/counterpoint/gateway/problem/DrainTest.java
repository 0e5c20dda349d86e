package dev.counterpoint.gateway.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DrainTest {
    @Test
    void waitsForWhatIsOpen() throws Exception {
        // Given
        var drain = new Drain(Duration.ofMinutes(1));
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
        var drain = new Drain(Duration.ofMillis(1));
        drain.enter();

        assertThat(drain.close()).isEqualTo(1);
    }

    @Test
    void takesNothingNewOnceItStops() throws Exception {
        var drain = new Drain(Duration.ofMinutes(1));

        assertThat(drain.close()).isZero();
        assertThat(drain.enter()).isFalse();
    }
}
