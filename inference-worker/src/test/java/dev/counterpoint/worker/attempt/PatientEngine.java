package dev.counterpoint.worker.attempt;

import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.EngineDescription;
import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.engine.EngineStatistics;
import dev.counterpoint.engine.Generation;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenSink;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// An engine that says nothing, or what a test gives it, until its generations are cancelled, and is as healthy and
/// obedient as the test wants it to be.
final class PatientEngine implements Engine {
    final AtomicInteger started = new AtomicInteger();
    final AtomicInteger closed = new AtomicInteger();
    volatile EngineHealth.Status status = EngineHealth.Status.READY;
    volatile int freeSlots = 4;
    volatile long freeTokens = 16_384;
    /// Whether it works, else it is silent.
    volatile boolean works;
    volatile Set<EngineDescription.Ability> abilities = Set.of();
    /// The request that came last.
    volatile @Nullable GenerationRequest request;
    /// All requests, the first one first.
    final List<GenerationRequest> requests = new CopyOnWriteArrayList<>();
    /// What each generation says, whatever it was asked; then it stops for the reason below.
    volatile int[] output = {};
    /// What the next generations say in the place of that.
    final Queue<int[]> outputs = new ConcurrentLinkedQueue<>();
    volatile @Nullable StopReason reason;
    /// Whether all of the output lies ready at once.
    volatile boolean together;
    /// Tokens of what it asked besides.
    volatile int furtherPromptTokens;

    @Override
    public EngineDescription describe() {
        return new EngineDescription("patient", "patient", "says nothing", 4_096, 16_384, 4, 201_088, abilities);
    }

    @Override
    public Generation start(GenerationRequest request, TokenSink sink) {
        started.incrementAndGet();
        this.request = request;
        requests.add(request);
        var silence = new Silence(Objects.requireNonNullElse(outputs.poll(), output), sink);
        Thread.startVirtualThread(silence::speak);
        return silence;
    }

    private final class Silence implements Generation {
        private final CountDownLatch cancelled = new CountDownLatch(1);
        private final int[] output;
        private final TokenSink sink;

        private Silence(int[] output, TokenSink sink) {
            this.output = output;
            this.sink = sink;
        }

        private void speak() {
            sink.prompted(furtherPromptTokens);
            for (int token : output) {
                sink.token(new Step.Token(token, null));
                if (!together) {
                    sink.flush();
                }
            }
            sink.flush();
            var end = reason;
            if (end == null) {
                awaitCancel();
            }
            sink.stopped(new Step.Stopped(end == null ? StopReason.CANCELLED : end));
        }

        private void awaitCancel() {
            try {
                cancelled.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void wake() {
            // It does not wait.
        }

        @Override
        public boolean moved() {
            return works;
        }

        @Override
        public void cancel() {
            cancelled.countDown();
        }

        @Override
        public void close() {
            cancel();
            closed.incrementAndGet();
        }
    }

    @Override
    public EngineHealth health() {
        return new EngineHealth(status, freeSlots, freeTokens, "");
    }

    @Override
    public EngineStatistics statistics() {
        return new EngineStatistics(0, 0, 0, 0, 0);
    }

    @Override
    public void close() {
        // It holds nothing.
    }
}
