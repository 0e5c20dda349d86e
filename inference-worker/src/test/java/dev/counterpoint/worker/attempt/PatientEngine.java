package dev.counterpoint.worker.attempt;

import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.EngineDescription;
import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.engine.EngineStatistics;
import dev.counterpoint.engine.Generation;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
    /// Whether it returns from a step; one that does not goes on so until it is closed.
    volatile boolean returns = true;
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
    private final CountDownLatch engineClosed = new CountDownLatch(1);

    @Override
    public EngineDescription describe() {
        return new EngineDescription("patient", "patient", "says nothing", 4_096, 16_384, 4, 201_088, abilities);
    }

    @Override
    public Generation start(GenerationRequest request) {
        started.incrementAndGet();
        this.request = request;
        requests.add(request);
        return new Silence(Objects.requireNonNullElse(outputs.poll(), output));
    }

    private final class Silence implements Generation {
        private final CountDownLatch cancelled = new CountDownLatch(1);
        private final int[] output;
        private int said;

        private Silence(int[] output) {
            this.output = output;
        }

        @Override
        public Step next() throws InterruptedException {
            if (said < output.length) {
                return new Step.Token(output[said++], null);
            }
            var end = reason;
            if (end != null) {
                return new Step.Stopped(end);
            }
            if (!returns) {
                engineClosed.await();
            }
            boolean stops = cancelled.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            return stops ? new Step.Stopped(StopReason.CANCELLED) : works ? new Step.Working() : new Step.Silent();
        }

        @Override
        public boolean isReady() {
            return together && said < output.length;
        }

        @Override
        public int furtherPromptTokens() {
            return furtherPromptTokens;
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
        engineClosed.countDown();
    }
}
