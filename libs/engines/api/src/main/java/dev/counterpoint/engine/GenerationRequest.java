package dev.counterpoint.engine;

import dev.counterpoint.bus.job.GenerationJob;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One sequence to continue.
///
/// Arrays are copied in; what the accessors return is the request's own and must not be written to.
///
/// @param id names the attempt, and no other one, in logs; holds no content
/// @param prompt at least one token
/// @param prefix what an earlier attempt already generated. The engine goes on exactly after prompt and
///     prefix, having replayed the prefix through the mask, the penalties and the seed's counter. Only new
///     tokens come out. A prefix that already ends in a stop token, or is already `maxTokens` long, stops at
///     once with that reason.
/// @param maxTokens bounds the whole output, prefix included; at least 1
/// @param stopTokens the output ends with the first of these; only with these
/// @param mask fresh: it has not seen the prefix yet
/// @param cacheSalt requests share cached prompt work only under the same salt
/// @param job the same request as messages, its prompt open, for engines with
///     [EngineDescription.Ability#MESSAGES]; null for others
/// @param urgency which of several that wait begins first, where the engine's servers choose
public record GenerationRequest(
        String id,
        int[] prompt,
        int[] prefix,
        Sampling sampling,
        int maxTokens,
        Set<Integer> stopTokens,
        TokenMask mask,
        String cacheSalt,
        @Nullable GenerationJob job,
        Urgency urgency) {
    /// As urgent as others.
    public GenerationRequest(
            String id,
            int[] prompt,
            int[] prefix,
            Sampling sampling,
            int maxTokens,
            Set<Integer> stopTokens,
            TokenMask mask,
            String cacheSalt,
            @Nullable GenerationJob job) {
        this(id, prompt, prefix, sampling, maxTokens, stopTokens, mask, cacheSalt, job, Urgency.NORMAL);
    }

    /// For an engine that takes tokens.
    public GenerationRequest(
            String id,
            int[] prompt,
            int[] prefix,
            Sampling sampling,
            int maxTokens,
            Set<Integer> stopTokens,
            TokenMask mask,
            String cacheSalt) {
        this(id, prompt, prefix, sampling, maxTokens, stopTokens, mask, cacheSalt, null);
    }

    public GenerationRequest {
        if (prompt.length == 0) {
            throw new IllegalArgumentException("the prompt is empty");
        }
        if (maxTokens < 1) {
            throw new IllegalArgumentException("maxTokens is less than 1");
        }
        prompt = prompt.clone();
        prefix = prefix.clone();
        stopTokens = Set.copyOf(stopTokens);
    }

    /// @throws IllegalArgumentException when prompt or prefix hold an id that is not below this size
    public void requireIdsOf(int vocabularySize) {
        for (int[] ids : new int[][] {prompt, prefix}) {
            for (int id : ids) {
                if (id < 0 || id >= vocabularySize) {
                    throw new IllegalArgumentException("token " + id + " is not in the vocabulary");
                }
            }
        }
    }

    /// The request as messages.
    ///
    /// @throws IllegalArgumentException when it has none
    public GenerationJob requireJob() {
        if (job == null) {
            throw new IllegalArgumentException("the request has no messages");
        }
        return job;
    }

    /// Prompt and output are content, so only their sizes are shown.
    @Override
    public String toString() {
        return "GenerationRequest[id=%s, prompt=%d tokens, prefix=%d tokens, maxTokens=%d]"
                .formatted(id, prompt.length, prefix.length, maxTokens);
    }
}
