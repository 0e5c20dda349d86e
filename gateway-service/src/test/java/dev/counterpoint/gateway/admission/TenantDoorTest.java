package dev.counterpoint.gateway.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TenantDoorTest {
    @Test
    @DisplayName("M2 a burst of one tenant holds a quarter of the connections at once, and nobody else waits for it")
    void aBurstOfOneTenantLeavesRoomForOthers() throws InterruptedException {
        var door = new TenantDoor(16);
        var inside = new AtomicInteger();
        var most = new AtomicInteger();
        var four = new CountDownLatch(4);
        var go = new CountDownLatch(1);
        try (var burst = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 100; i++) {
                burst.submit(() -> door.through("noisy", () -> {
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    four.countDown();
                    go.await();
                    return inside.decrementAndGet();
                }));
            }
            four.await();

            assertThat(door.through("other", () -> "answered")).isEqualTo("answered");
            go.countDown();
        }

        assertThat(most).hasValue(4);
        assertThat(inside).hasValue(0);
    }
}
