package dev.counterpoint.engine.llama;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/// The prefixes that the context keeps of sequences that have ended, so that a prompt that begins like one of them need
/// not be computed again; and the numbers that sequences have in the context. Only the loop's thread uses it.
final class PrefixCache {
    /// Shorter beginnings are computed faster than they are looked after.
    private static final int SHARED_MIN = 16;

    private final LlamaContext context;
    private final int window;
    private final int keptMax;
    private final Deque<Integer> free = new ArrayDeque<>();
    /// The longest unused first.
    private final List<Kept> kept = new ArrayList<>();

    /// An ended sequence. Layers with a sliding window give away places that a single sequence holds and no longer
    /// sees; because the pin holds them too, this one stays whole and can be cut anywhere.
    private record Kept(String salt, int[] tokens, int id, int pin) {}

    PrefixCache(LlamaContext context, LlamaOptions.Capacity capacity, int window) {
        this.context = context;
        this.window = window;
        this.keptMax = capacity.keptPrefixes();
        IntStream.range(0, capacity.sequences()).forEach(free::add);
    }

    int kept() {
        return kept.size();
    }

    /// Gives the sequence a number and the longest beginning that another one under the same salt has.
    ///
    /// @return how many tokens need not be computed
    int place(LlamaSequence sequence, List<LlamaSequence> running) {
        sequence.id = free.remove();
        int source = LlamaSequence.NOWHERE;
        int shared = SHARED_MIN - 1;
        for (var other : running) {
            int common = other.salt().equals(sequence.salt()) ? sequence.sharedWith(other) : 0;
            if (common > shared && isWhole(other.id, common)) {
                shared = common;
                source = other.id;
            }
        }
        Kept used = null;
        for (var other : kept) {
            int common = other.salt().equals(sequence.salt())
                    ? sequence.sharedWith(other.tokens(), other.tokens().length)
                    : 0;
            if (common > shared && isWhole(other.id(), common)) {
                shared = common;
                source = other.id();
                used = other;
            }
        }
        if (used != null) {
            kept.remove(used);
            kept.add(used);
        }
        if (source == LlamaSequence.NOWHERE) {
            return 0;
        }
        context.copy(source, sequence.id, shared);
        sequence.computed = shared;
        return shared;
    }

    /// True if a sequence can be cut at a position, that is, if the layers with a sliding window still have what
    /// the next token would see.
    private boolean isWhole(int id, int end) {
        int first = context.first(id);
        return first >= 0 && first <= Math.max(0, end - window);
    }

    /// Takes the number back and keeps what was computed, if it is worth it.
    void retire(LlamaSequence sequence) {
        int[] tokens = sequence.computedTokens();
        if (tokens.length < SHARED_MIN || keptMax == 0 || isKept(sequence.salt(), tokens)) {
            forget(sequence);
            return;
        }
        kept.removeIf(old -> {
            boolean superseded = old.salt().equals(sequence.salt()) && begins(tokens, old.tokens());
            if (superseded) {
                release(old);
            }
            return superseded;
        });
        if (kept.size() == keptMax) {
            evict();
        }
        int pin = free.remove();
        context.copy(sequence.id, pin, tokens.length);
        kept.add(new Kept(sequence.salt(), tokens, sequence.id, pin));
        sequence.id = LlamaSequence.NOWHERE;
        sequence.computed = 0;
    }

    private boolean isKept(String salt, int[] tokens) {
        return kept.stream().anyMatch(old -> old.salt().equals(salt) && begins(old.tokens(), tokens));
    }

    private static boolean begins(int[] whole, int[] beginning) {
        int length = beginning.length;
        return length <= whole.length && Arrays.equals(whole, 0, length, beginning, 0, length);
    }

    /// Takes the number and the memory back.
    void forget(LlamaSequence sequence) {
        context.remove(sequence.id, 0);
        free.add(sequence.id);
        sequence.id = LlamaSequence.NOWHERE;
        sequence.computed = 0;
    }

    /// Makes room by giving up what has been unused for longest.
    ///
    /// @return false when nothing is kept
    boolean evict() {
        if (kept.isEmpty()) {
            return false;
        }
        release(kept.removeFirst());
        return true;
    }

    private void release(Kept old) {
        context.remove(old.id(), 0);
        context.remove(old.pin(), 0);
        free.add(old.id());
        free.add(old.pin());
    }
}
