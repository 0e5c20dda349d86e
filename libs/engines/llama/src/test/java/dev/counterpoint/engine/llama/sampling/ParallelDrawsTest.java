package dev.counterpoint.engine.llama.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ParallelDrawsTest {
    private static final int VOCABULARY = 10;

    @Test
    void doesEachDrawOnceAndReturnsWhenAllAreDone() {
        try (var draws = new ParallelDraws(3, VOCABULARY)) {
            for (int count = 0; count < 200; count++) {
                var done = IntStream.range(0, count)
                        .mapToObj(_ -> new AtomicInteger())
                        .toList();

                draws.run(done.stream()
                        .map(each -> (ParallelDraws.Draw) _ -> each.incrementAndGet())
                        .toList());

                assertThat(done).allSatisfy(each -> assertThat(each).hasValue(1));
            }
        }
    }

    @Test
    void drawsAtOnceOnAsManyThreadsAsItHasEachWithMemoryOfItsOwn() {
        var together = new CyclicBarrier(3);
        var used = Collections.synchronizedList(new ArrayList<Distribution>());
        ParallelDraws.Draw waiting = distribution -> {
            used.add(distribution);
            await(together);
        };
        try (var draws = new ParallelDraws(3, VOCABULARY)) {
            draws.run(List.of(waiting, waiting, waiting));
        }
        assertThat(used).hasSize(3).doesNotHaveDuplicates();
    }

    @Test
    void aSingleDrawStaysOnTheThreadThatAsks() {
        var thread = new ArrayList<Thread>();
        try (var draws = new ParallelDraws(3, VOCABULARY)) {
            draws.run(List.of(_ -> thread.add(Thread.currentThread())));
        }
        assertThat(thread).containsExactly(Thread.currentThread());
    }

    @Test
    void aDrawThatThrowsIsToldWhenTheOthersAreDone() {
        var done = new AtomicInteger();
        ParallelDraws.Draw fine = _ -> done.incrementAndGet();
        ParallelDraws.Draw broken = _ -> {
            throw new StackOverflowError("planted");
        };
        try (var draws = new ParallelDraws(2, VOCABULARY)) {
            assertThatThrownBy(() -> draws.run(List.of(fine, broken, fine, fine)))
                    .hasRootCauseMessage("planted");
            assertThat(done).hasValue(3);

            draws.run(List.of(fine, fine));
        }
        assertThat(done).hasValue(5);
    }

    @Test
    void itsThreadsEndWithIt() throws InterruptedException {
        var together = new CyclicBarrier(2);
        var threads = Collections.synchronizedList(new ArrayList<Thread>());
        ParallelDraws.Draw waiting = _ -> {
            threads.add(Thread.currentThread());
            await(together);
        };
        try (var draws = new ParallelDraws(2, VOCABULARY)) {
            draws.run(List.of(waiting, waiting));
        }
        assertThat(threads).hasSize(2).doesNotContain(Thread.currentThread());
        for (var thread : threads) {
            assertThat(thread.join(Duration.ofSeconds(30))).isTrue();
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }
}
