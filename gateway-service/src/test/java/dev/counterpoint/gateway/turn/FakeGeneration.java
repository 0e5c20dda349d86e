package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.gateway.generation.Generations;
import dev.counterpoint.gateway.generation.ModelOutput;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A response whose outputs a test writes; it ends as cancelled when it is abandoned, unless it runs in the background.
public final class FakeGeneration implements Generations.Generation {
    private final ResponseId id;
    private final boolean outlivesClient;
    private final BlockingQueue<ModelOutput> outputs = new LinkedBlockingQueue<>();
    private final List<ModelOutput> log = new CopyOnWriteArrayList<>();
    private final CountDownLatch abandoned = new CountDownLatch(1);
    private final CountDownLatch settled = new CountDownLatch(1);
    private volatile boolean lagging;
    private volatile boolean behind;

    public FakeGeneration(ResponseId id, List<ModelOutput> script) {
        this(id, script, false);
    }

    FakeGeneration(ResponseId id, List<ModelOutput> script, boolean outlivesClient) {
        this.id = id;
        this.outlivesClient = outlivesClient;
        script.forEach(this::say);
    }

    public void say(ModelOutput output) {
        log.add(output);
        outputs.add(output);
    }

    /// All that was said, for those who read it again.
    public List<ModelOutput> log() {
        return log;
    }

    /// The next reading says that outputs were lost; the one after that goes on.
    void lag() {
        lagging = true;
    }

    public boolean isAbandoned() throws InterruptedException {
        return abandoned.await(30, TimeUnit.SECONDS);
    }

    public boolean isSettled() throws InterruptedException {
        return settled.await(10, TimeUnit.SECONDS);
    }

    boolean settledAlready() {
        return settled.getCount() == 0;
    }

    @Override
    public ResponseId id() {
        return id;
    }

    @Override
    public @Nullable ModelOutput next(long atMostMillis) throws InterruptedException {
        if (lagging) {
            lagging = false;
            behind = true;
            return null;
        }
        return outputs.poll(atMostMillis, TimeUnit.MILLISECONDS);
    }

    @Override
    public boolean fellBehind() {
        return behind;
    }

    @Override
    public void abandon() {
        if (!outlivesClient) {
            cancel();
        }
    }

    public void cancel() {
        if (abandoned.getCount() > 0) {
            abandoned.countDown();
            say(new ModelOutput.Stopped(OwnerEnd.Reason.CANCELLED));
        }
    }

    @Override
    public void settle() {
        settled.countDown();
    }
}
