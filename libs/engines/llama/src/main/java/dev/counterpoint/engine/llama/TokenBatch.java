package dev.counterpoint.engine.llama;

import java.util.ArrayList;
import java.util.List;

/// The tokens that the next step computes: one for each sequence that generates, then prompts, oldest first.
final class TokenBatch {
    private final LlamaContext context;
    private final int prefillTokens;
    private final List<Part> parts = new ArrayList<>();

    /// The tokens of one sequence in the batch.
    ///
    /// @param last row of its last token
    record Part(LlamaSequence sequence, int tokens, int last) {
        boolean isPrompt() {
            return tokens > 1;
        }

        boolean isComplete() {
            return sequence.pending() == tokens;
        }
    }

    TokenBatch(LlamaContext context, int prefillTokens) {
        this.context = context;
        this.prefillTokens = prefillTokens;
    }

    /// @return the parts; empty when no sequence can go on
    List<Part> fill(List<LlamaSequence> running) {
        context.clear();
        parts.clear();
        for (var sequence : running) {
            if (sequence.pending() == 1 && !sequence.masking && sequence.sink().hasRoom()) {
                add(sequence, 1);
            }
        }
        // Whoever waits for the next token shall not wait for a long prompt of somebody else.
        int room = parts.isEmpty()
                ? LlamaOptions.BATCH_TOKENS
                : Math.min(prefillTokens, LlamaOptions.BATCH_TOKENS - context.size());
        for (var sequence : running) {
            if (sequence.pending() > 1 && room > 0) {
                int tokens = Math.min(sequence.pending(), room);
                add(sequence, tokens);
                room -= tokens;
            }
        }
        return parts;
    }

    private void add(LlamaSequence sequence, int tokens) {
        int end = sequence.computed + tokens;
        int row = 0;
        for (int position = sequence.computed; position < end; position++) {
            boolean wantsLogits = position == sequence.length() - 1;
            row = context.add(sequence.token(position), position, sequence.id, wantsLogits);
        }
        parts.add(new Part(sequence, tokens, row));
    }
}
