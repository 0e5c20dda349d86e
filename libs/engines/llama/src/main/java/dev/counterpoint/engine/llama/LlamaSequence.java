package dev.counterpoint.engine.llama;

import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenSink;
import dev.counterpoint.engine.llama.sampling.Distribution;
import dev.counterpoint.engine.llama.sampling.TokenSampler;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// One sequence as the loop sees it: the tokens it has, and how many of them the model has computed. Prefill,
/// decoding and going on after a preemption are the same: compute what is not yet computed.
final class LlamaSequence {
    static final int NOWHERE = -1;

    final LlamaGeneration generation;
    private final GenerationRequest request;
    private final TokenSampler sampler;
    private final int contextLength;
    private int[] tokens;
    private int length;
    private boolean placed;

    /// Its number in the context, or [#NOWHERE].
    int id = NOWHERE;
    /// The number of this sequence's tokens that are in the context.
    int computed;
    /// Its mask was not ready for the last draw.
    boolean masking;

    LlamaSequence(LlamaGeneration generation, GenerationRequest request, TokenSampler sampler, int contextLength) {
        this.generation = generation;
        this.request = request;
        this.sampler = sampler;
        this.contextLength = contextLength;
        int[] prompt = request.prompt();
        int[] prefix = request.prefix();
        this.length = prompt.length + prefix.length;
        this.tokens = Arrays.copyOf(prompt, length);
        System.arraycopy(prefix, 0, tokens, prompt.length, prefix.length);
    }

    TokenSink sink() {
        return generation.sink;
    }

    /// Its place in the context begins with what another sequence has left. That counts when the place is its first:
    /// what it finds after it gave one up may be its own.
    void found(int shared) {
        if (!placed) {
            placed = true;
            sink().cached(Math.min(shared, request.prompt().length));
        }
    }

    String salt() {
        return request.cacheSalt();
    }

    int length() {
        return length;
    }

    /// Tokens that are still to be computed; at least one while the sequence lives.
    int pending() {
        return length - computed;
    }

    int token(int position) {
        return tokens[position];
    }

    /// The tokens that are in the context.
    int[] computedTokens() {
        return Arrays.copyOf(tokens, computed);
    }

    /// The number of first tokens that the other sequence has in common and has computed. At least one token is
    /// left over, for without computing one there are no logits.
    int sharedWith(int[] other, int otherLength) {
        int bound = Math.min(length - 1, otherLength);
        int mismatch = Arrays.mismatch(tokens, 0, bound, other, 0, bound);
        return mismatch < 0 ? bound : mismatch;
    }

    int sharedWith(LlamaSequence other) {
        return sharedWith(other.tokens, other.computed);
    }

    /// Whether the next token can be drawn without a wait.
    ///
    /// @param patience with a mask that is worked on
    boolean isMaskReady(Duration patience) {
        try {
            return request.mask().ready(patience);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Draws the next token; null when the mask allows none.
    Step.@Nullable Token draw(MemorySegment logits, Distribution distribution) {
        var token = sampler.draw(logits, distribution);
        if (token != null) {
            if (length == tokens.length) {
                tokens = Arrays.copyOf(tokens, Math.min(contextLength, length + length / 2 + 64));
            }
            tokens[length++] = token.id();
        }
        return token;
    }

    /// The reason for which nothing more comes; null when something does.
    @Nullable
    StopReason end() {
        int output = length - request.prompt().length;
        if (output > 0 && request.stopTokens().contains(tokens[length - 1])) {
            return StopReason.STOP_TOKEN;
        }
        if (output >= request.maxTokens()) {
            return StopReason.LENGTH;
        }
        return length >= contextLength ? StopReason.CONTEXT_FULL : null;
    }
}
