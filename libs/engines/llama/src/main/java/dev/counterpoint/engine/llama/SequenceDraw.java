package dev.counterpoint.engine.llama;

import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.llama.sampling.Distribution;
import dev.counterpoint.engine.llama.sampling.ParallelDraws;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The next token of one sequence, drawn and handed to the reader on any thread; what follows from it is the loop's.
final class SequenceDraw implements ParallelDraws.Draw {
    /// How long the other sequences of a batch wait for one mask.
    private static final Duration MASK_TIME_MAX = Duration.ofMillis(20);

    private final LlamaSequence sequence;
    private final MemorySegment logits;
    private Step.@Nullable Stopped failure;
    private boolean late;

    SequenceDraw(LlamaSequence sequence, MemorySegment logits) {
        this.sequence = sequence;
        this.logits = logits;
    }

    @Override
    public void with(Distribution distribution) {
        try {
            if (!sequence.isMaskReady(MASK_TIME_MAX)) {
                late = true;
                return;
            }
            var token = sequence.draw(logits, distribution);
            if (token == null) {
                failure = new Step.Stopped(StopReason.NO_TOKEN);
            } else {
                sequence.sink().token(token);
                sequence.sink().flush();
            }
        } catch (RuntimeException e) {
            // The message could hold content, the type cannot.
            failure = new Step.Stopped(
                    StopReason.FAILED,
                    "the mask or the sampler failed: " + e.getClass().getSimpleName());
        }
    }

    /// True if nothing was drawn, since the mask was not ready.
    boolean late() {
        return late;
    }

    LlamaSequence sequence() {
        return sequence;
    }

    /// Why no token came; null when one did.
    Step.@Nullable Stopped failure() {
        return failure;
    }
}
