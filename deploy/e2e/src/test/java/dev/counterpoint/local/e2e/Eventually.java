package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Asks again until the answer is as wanted. The limit is for a machine that is busy; nothing is decided by it.
final class Eventually {
    private static final Duration LIMIT = Duration.ofSeconds(120);

    private Eventually() {}

    static <T> T until(Supplier<T> ask, Predicate<T> wanted) throws InterruptedException {
        long until = System.nanoTime() + LIMIT.toNanos();
        var answer = ask.get();
        while (!wanted.test(answer) && System.nanoTime() < until) {
            TimeUnit.MILLISECONDS.sleep(100);
            answer = ask.get();
        }
        assertThat(answer).matches(wanted, "as wanted within " + LIMIT);
        return answer;
    }
}
