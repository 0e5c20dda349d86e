package dev.counterpoint.engine.llama;

import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenSink;
import dev.counterpoint.engine.llama.sampling.ParallelDraws;
import dev.counterpoint.engine.llama.sampling.TokenSampler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The thread that owns the context: admit, put one batch together, compute it, draw, hand out, again.
///
/// Sequences take memory as they grow. When it is full, kept prefixes go first, then a sequence gives its place up
/// and is computed again later; the oldest always runs, so there is no standstill.
final class LlamaLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(LlamaLoop.class);
    /// Between two looks at masks, while no sequence can go on.
    private static final long MASK_PAUSE_NANOS = 2_000_000;

    private final LlamaModel model;
    private final LlamaOptions options;
    private final Thread thread = Thread.ofPlatform().name("llama").daemon().unstarted(this);
    private final CompletableFuture<Integer> contextLength = new CompletableFuture<>();
    private final LoopCounters counters = new LoopCounters();

    private final Queue<Joining> joining = new ConcurrentLinkedQueue<>();
    private final Deque<LlamaSequence> waiting = new ArrayDeque<>();
    /// In the order in which they came.
    private final List<LlamaSequence> running = new ArrayList<>();
    private boolean full;

    private volatile boolean closing;
    private volatile boolean ended;
    private volatile @Nullable String failure;
    private final AtomicLong progress = new AtomicLong();
    /// Whose prompts are in the batch that is being computed: the only ones worth an abort.
    private volatile List<LlamaGeneration> prefilling = List.of();

    private record Joining(LlamaGeneration generation, GenerationRequest request) {}

    LlamaLoop(LlamaModel model, LlamaOptions options) {
        this.model = model;
        this.options = options;
    }

    /// Starts the thread.
    ///
    /// @return how long a sequence can be
    int start() {
        thread.start();
        return contextLength.join();
    }

    /// Grows whenever anything moves, within a long batch too.
    long progress() {
        return progress.get();
    }

    @Nullable
    String failure() {
        return failure;
    }

    LoopCounters counters() {
        return counters;
    }

    void join(LlamaGeneration generation, GenerationRequest request) {
        joining.add(new Joining(generation, request));
        if (ended) {
            stopJoining();
        }
        wake();
    }

    void wake() {
        LockSupport.unpark(thread);
    }

    /// Ends the thread and frees its memory; the batch that is being computed is given up.
    void close() {
        closing = true;
        wake();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true; // the model must outlive the thread
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void run() {
        var capacity = options.capacity();
        var shape = new LlamaContext.Shape(
                capacity.contextTokens(), LlamaOptions.BATCH_TOKENS, capacity.sequences(), options.threads());
        try (var context = new LlamaContext(model, shape, this::isBatchUnwanted);
                var draws = new ParallelDraws(options.drawingThreads(), model.vocabularySize())) {
            var cache = new PrefixCache(context, capacity, model.window());
            int length = Math.min(
                    capacity.contextLength(),
                    Math.min(context.tokens(), model.file().contextLength()));
            contextLength.complete(length);
            var batch = new TokenBatch(context, capacity.prefillTokens());
            while (!closing) {
                retireTheCancelled(cache);
                admit(cache, length);
                lookAtMasks();
                boolean moved = step(context, cache, batch, draws);
                counters.holds(
                        waiting.size(),
                        running.stream().mapToLong(each -> each.computed).sum());
                if (!moved && anyMasking()) {
                    LockSupport.parkNanos(this, MASK_PAUSE_NANOS);
                } else if (!moved) {
                    LockSupport.park(this);
                }
            }
        } catch (RuntimeException | Error e) {
            if (!contextLength.completeExceptionally(e)) {
                LOG.error("llama engine failed", e);
                failure = "llama engine: " + e.getClass().getSimpleName() + " " + e.getMessage();
            }
        } finally {
            stopAll();
        }
    }

    private boolean isBatchUnwanted() {
        progress.incrementAndGet();
        if (closing) {
            return true;
        }
        for (var generation : prefilling) {
            if (generation.isCancelled()) {
                return true;
            }
        }
        return false;
    }

    private boolean anyMasking() {
        return running.stream().anyMatch(sequence -> sequence.masking);
    }

    /// A loop that waits for a mask lives.
    private void lookAtMasks() {
        if (anyMasking()) {
            progress.incrementAndGet();
            running.forEach(sequence -> sequence.masking = sequence.masking && !sequence.isMaskReady(Duration.ZERO));
        }
    }

    private void retireTheCancelled(PrefixCache cache) {
        for (var sequence : cancelled(waiting)) {
            waiting.remove(sequence);
            sequence.sink().stopped(new Step.Stopped(StopReason.CANCELLED));
        }
        for (var sequence : cancelled(running)) {
            retire(sequence, cache);
            sequence.sink().stopped(new Step.Stopped(StopReason.CANCELLED));
        }
    }

    private static List<LlamaSequence> cancelled(Collection<LlamaSequence> sequences) {
        return sequences.stream()
                .filter(sequence -> sequence.generation.isCancelled())
                .toList();
    }

    private void retire(LlamaSequence sequence, PrefixCache cache) {
        cache.retire(sequence);
        running.remove(sequence);
        full = false;
    }

    private void admit(PrefixCache cache, int length) {
        for (var next = joining.poll(); next != null; next = joining.poll()) {
            var sequence = begin(next, length);
            if (sequence != null) {
                waiting.add(sequence);
            }
        }
        if (full && !running.isEmpty()) {
            return;
        }
        var candidates = waiting.iterator();
        while (running.size() < options.capacity().slots() && candidates.hasNext()) {
            var sequence = candidates.next();
            if (sequence.sink().hasRoom()) {
                candidates.remove();
                int shared = cache.place(sequence, running);
                counters.reused(shared);
                sequence.found(shared);
                running.add(sequence);
            }
        }
    }

    private @Nullable LlamaSequence begin(Joining joining, int length) {
        try {
            long seed = ThreadLocalRandom.current().nextLong();
            var sampler = new TokenSampler(joining.request(), seed);
            var sequence = new LlamaSequence(joining.generation(), joining.request(), sampler, length);
            var end = sequence.end();
            if (end == null) {
                return sequence;
            }
            joining.generation().sink.stopped(new Step.Stopped(end));
        } catch (RuntimeException e) {
            // The message could hold content, the type cannot.
            fail(
                    joining.generation().sink,
                    "the prefix was refused: " + e.getClass().getSimpleName());
        }
        return null;
    }

    /// @return false when there is nothing to do until someone wakes the loop
    private boolean step(LlamaContext context, PrefixCache cache, TokenBatch batch, ParallelDraws draws) {
        var parts = batch.fill(running);
        if (parts.isEmpty()) {
            // When all that run wait for their readers, those that gave their memory up need not wait for them too.
            boolean othersMayGoOn = full && !waiting.isEmpty();
            full = false;
            return othersMayGoOn;
        }
        prefilling = parts.stream()
                .filter(TokenBatch.Part::isPrompt)
                .map(part -> part.sequence().generation)
                .toList();
        int result = context.decode();
        prefilling = List.of();
        progress.incrementAndGet();
        switch (result) {
            case LlamaContext.DONE -> {
                counters.computed(context.size());
                for (var drawn : draw(parts, context, draws)) {
                    if (drawn.late()) {
                        setBack(drawn.sequence(), context);
                    } else {
                        goOn(drawn, cache);
                    }
                }
            }
            case LlamaContext.NO_ROOM -> makeRoom(cache);
            case LlamaContext.ABORTED -> running.forEach(sequence -> resume(sequence, context));
            default -> throw new IllegalStateException("llama_decode returned " + result);
        }
        return true;
    }

    private static List<SequenceDraw> draw(List<TokenBatch.Part> parts, LlamaContext context, ParallelDraws draws) {
        var drawn = new ArrayList<SequenceDraw>();
        for (var part : parts) {
            boolean complete = part.isComplete();
            part.sequence().computed += part.tokens();
            if (complete) {
                drawn.add(new SequenceDraw(part.sequence(), context.logits(part.last())));
            }
        }
        draws.run(drawn);
        return drawn;
    }

    /// The others need not wait for its mask: its last token is computed once more when that is ready.
    private static void setBack(LlamaSequence sequence, LlamaContext context) {
        sequence.masking = true;
        sequence.computed--;
        context.remove(sequence.id, sequence.computed);
    }

    private void goOn(SequenceDraw drawn, PrefixCache cache) {
        var sequence = drawn.sequence();
        var failure = drawn.failure();
        if (failure != null) {
            sequence.sink().stopped(failure);
            retire(sequence, cache);
            return;
        }
        var end = sequence.end();
        if (end != null) {
            sequence.sink().stopped(new Step.Stopped(end));
            retire(sequence, cache);
        }
    }

    private void makeRoom(PrefixCache cache) {
        if (cache.evict()) {
            return;
        }
        if (running.size() == 1) {
            throw new IllegalStateException("one sequence alone does not fit the context");
        }
        var victim = running.getLast();
        for (var sequence : running) {
            if (!sequence.sink().hasRoom()) {
                victim = sequence; // its reader does not miss it
            }
        }
        cache.forget(victim);
        running.remove(victim);
        waiting.addFirst(victim);
        full = true;
        counters.preempted();
    }

    /// After an abort a part of the batch may have been computed, but its logits are lost.
    private static void resume(LlamaSequence sequence, LlamaContext context) {
        int present = context.last(sequence.id) + 1;
        sequence.computed = Math.min(present, sequence.length() - 1);
        if (sequence.computed < present) {
            context.remove(sequence.id, sequence.computed);
        }
    }

    private void stopAll() {
        ended = true;
        running.forEach(sequence -> sequence.sink().stopped(lastStep()));
        waiting.forEach(sequence -> sequence.sink().stopped(lastStep()));
        stopJoining();
    }

    /// Stops every generation that is still joining. After the loop's end, the joining thread itself calls this.
    private void stopJoining() {
        for (var next = joining.poll(); next != null; next = joining.poll()) {
            next.generation().sink.stopped(lastStep());
        }
    }

    private Step.Stopped lastStep() {
        var broken = failure;
        return broken == null ? new Step.Stopped(StopReason.CANCELLED) : new Step.Stopped(StopReason.FAILED, broken);
    }

    private static void fail(TokenSink sink, String detail) {
        sink.stopped(new Step.Stopped(StopReason.FAILED, detail));
    }
}
