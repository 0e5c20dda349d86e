package dev.counterpoint.engine.testkit;

import dev.counterpoint.engine.TokenMask;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Forces tokens, but is not ready for the first one until [#finish].
final class LateMask implements TokenMask {
    private final ForcedTokens forced;
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch finished = new CountDownLatch(1);

    LateMask(int... tokens) {
        forced = new ForcedTokens(tokens);
    }

    boolean asked() {
        return asked.getCount() == 0;
    }

    void finish() {
        finished.countDown();
    }

    @Override
    public boolean ready(Duration patience) throws InterruptedException {
        asked.countDown();
        return finished.await(patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public long @Nullable [] allowed() {
        if (finished.getCount() > 0) {
            throw new IllegalStateException("an engine did not wait for its mask");
        }
        return forced.allowed();
    }

    @Override
    public void accept(int token) {
        forced.accept(token);
    }
}
