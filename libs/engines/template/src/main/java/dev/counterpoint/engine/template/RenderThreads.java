package dev.counterpoint.engine.template;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/// The threads on which templates run. An interrupt ends a template that takes too long, which must not reach a
/// caller's thread; and nested templates need a stack of known size.
final class RenderThreads {
    private static final int COUNT = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 4);
    /// Of a processor: a busy machine refuses nothing.
    private static final long NANOS_MAX = Duration.ofMillis(1_700).toNanos();

    private static final long LOOK_EVERY_MILLIS = 100;
    private static final long STACK_BYTES = 8L << 20;
    private static final ThreadMXBean CLOCKS = ManagementFactory.getThreadMXBean();
    private static final ExecutorService POOL = Executors.newFixedThreadPool(
            COUNT,
            Thread.ofPlatform()
                    .name("chat-template-", 0)
                    .daemon()
                    .stackSize(STACK_BYTES)
                    .factory());

    private RenderThreads() {}

    /// Runs a piece of work, and waits for it.
    ///
    /// @throws TimeoutException when it took longer than it may
    /// @throws CancellationException when the caller was interrupted
    static <T> T run(Supplier<T> work) throws TimeoutException {
        if (Thread.currentThread().isInterrupted()) {
            throw interrupted();
        }
        var thread = new AtomicLong();
        var begunAt = new AtomicLong();
        var job = POOL.submit(() -> {
            begunAt.set(CLOCKS.getCurrentThreadCpuTime());
            thread.set(Thread.currentThread().threadId());
            return work.get();
        });
        try {
            while (true) {
                try {
                    return job.get(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
                } catch (TimeoutException e) {
                    if (thread.get() > 0 && CLOCKS.getThreadCpuTime(thread.get()) - begunAt.get() > NANOS_MAX) {
                        throw e;
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } finally {
            job.cancel(true);
        }
    }

    private static CancellationException interrupted() {
        return new CancellationException("interrupted while a chat template was rendered");
    }
}
