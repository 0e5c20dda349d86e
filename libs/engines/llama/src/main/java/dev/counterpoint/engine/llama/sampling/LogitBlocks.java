package dev.counterpoint.engine.llama.sampling;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The logits of a step, read a block at a time where the model has left them. A block stays in the fastest cache; a
/// copy
/// of the whole vocabulary would come from memory each time, because the model's weights have gone through all caches
/// since. Blocks in which nothing is allowed are not read. Not thread-safe.
final class LogitBlocks {
    static final int SIZE = 1024;
    private static final int INFINITY_BITS = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);

    private final int vocabularySize;
    /// The greatest logit of each block.
    private final float[] peaks;
    private final boolean[] isBanned;
    private final boolean[] isChanged;
    private final float[][] changed;
    private final float[] unchanged = new float[SIZE];
    private final int[] bits = new int[SIZE];
    private MemorySegment step = MemorySegment.NULL;
    private long @Nullable [] allowed;

    LogitBlocks(int vocabularySize) {
        this.vocabularySize = vocabularySize;
        int count = (vocabularySize + SIZE - 1) / SIZE;
        this.peaks = new float[count];
        this.isBanned = new boolean[count];
        this.isChanged = new boolean[count];
        this.changed = new float[count][];
    }

    /// Goes on to the next step.
    ///
    /// @param allowed as in a mask; null for everything
    void read(MemorySegment next, long @Nullable [] allowed) {
        this.step = next;
        this.allowed = allowed;
        Arrays.fill(isChanged, false);
        for (int block = 0; block < isBanned.length; block++) {
            isBanned[block] = allowed != null && allowsNothing(allowed, block);
        }
    }

    private static boolean allowsNothing(long[] allowed, int block) {
        int words = SIZE / Long.SIZE;
        int end = Math.min((block + 1) * words, allowed.length);
        for (int word = block * words; word < end; word++) {
            if (allowed[word] != 0) {
                return false;
            }
        }
        return true;
    }

    /// Changes a logit of this step; one that is not in the vocabulary is left out.
    void add(int token, float bias) {
        if (token >= 0 && token < vocabularySize && !isBanned[token / SIZE]) {
            change(token / SIZE)[token % SIZE] += bias;
        }
    }

    private float[] change(int block) {
        if (changed[block] == null) {
            changed[block] = new float[SIZE];
        }
        if (!isChanged[block]) {
            copy(block, changed[block]);
            isChanged[block] = true;
        }
        return changed[block];
    }

    private void copy(int block, float[] target) {
        MemorySegment.copy(step, ValueLayout.JAVA_FLOAT, offset(block), target, 0, length(block));
    }

    private static long offset(int block) {
        return (long) block * SIZE * Float.BYTES;
    }

    /// Bans what is not allowed and looks for the peaks, once all changes are made.
    ///
    /// @return the greatest of all logits; minus infinity when nothing is allowed, NaN when one of them is
    float peak() {
        float greatest = Float.NEGATIVE_INFINITY;
        for (int block = 0; block < peaks.length; block++) {
            peaks[block] = Float.NEGATIVE_INFINITY;
            if (!isBanned[block]) {
                ban(block);
                peaks[block] = greatest(block);
            }
            greatest = Math.max(greatest, peaks[block]);
        }
        return greatest;
    }

    /// By the bits as whole numbers, which takes the compiler's vector code a fifth of the time.
    private float greatest(int block) {
        int length = length(block);
        var source = isChanged[block] ? MemorySegment.ofArray(changed[block]) : step;
        MemorySegment.copy(source, ValueLayout.JAVA_INT, isChanged[block] ? 0 : offset(block), bits, 0, length);
        int greatest = Integer.MIN_VALUE;
        int largest = 0;
        for (int i = 0; i < length; i++) {
            greatest = Math.max(greatest, ordered(bits[i]));
            largest = Math.max(largest, bits[i] & Integer.MAX_VALUE);
        }
        return largest > INFINITY_BITS ? Float.NaN : Float.intBitsToFloat(ordered(greatest));
    }

    /// A float's bits as a whole number that is ordered as the floats are, and the other way round.
    private static int ordered(int bits) {
        return bits ^ (bits >> Integer.SIZE - 1 & Integer.MAX_VALUE);
    }

    private void ban(int block) {
        if (allowed == null) {
            return;
        }
        for (int from = 0; from < length(block); from += Long.SIZE) {
            int index = (start(block) + from) / Long.SIZE;
            long word = index < allowed.length ? allowed[index] : 0;
            if (word != -1) {
                int count = Math.min(Long.SIZE, length(block) - from);
                banZeros(change(block), from, count, word);
            }
        }
    }

    /// From zero to zero: asking each bit would be a guess each time.
    private static void banZeros(float[] logits, int from, int count, long word) {
        if (word == 0) {
            Arrays.fill(logits, from, from + count, Float.NEGATIVE_INFINITY);
            return;
        }
        long zeros = count == Long.SIZE ? ~word : ~word & (1L << count) - 1;
        for (; zeros != 0; zeros &= zeros - 1) {
            logits[from + Long.numberOfTrailingZeros(zeros)] = Float.NEGATIVE_INFINITY;
        }
    }

    int count() {
        return peaks.length;
    }

    /// The first token of a block.
    int start(int block) {
        return block * SIZE;
    }

    int length(int block) {
        return Math.min(SIZE, vocabularySize - start(block));
    }

    /// Of a token that is allowed.
    float logit(int token) {
        return of(token / SIZE)[token % SIZE];
    }

    float peak(int block) {
        return peaks[block];
    }

    /// The logits of a block with a token that is allowed, until the next block is asked for.
    float[] of(int block) {
        if (isChanged[block]) {
            return changed[block];
        }
        copy(block, unchanged);
        return unchanged;
    }
}
