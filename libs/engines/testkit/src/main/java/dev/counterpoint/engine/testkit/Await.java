package dev.counterpoint.engine.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Waits for what an engine does in threads of its own.
public final class Await {
    private static final Duration POLL = Duration.ofMillis(1);

    private Await() {}

    /// Returns once `condition` holds.
    ///
    /// @throws AssertionError when the test's timeout, which interrupts it, comes first
    public static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            assertThat(Thread.currentThread().isInterrupted())
                    .as("the test's time is over")
                    .isFalse();
            LockSupport.parkNanos(POLL.toNanos());
        }
    }
}
