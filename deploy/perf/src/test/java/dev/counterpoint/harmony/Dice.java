package dev.counterpoint.harmony;

import java.util.List;
import java.util.SplittableRandom;

/// Chance, repeatable: the same seed and case number give the same throws.
final class Dice {
    private final SplittableRandom random;

    Dice(long seed, int caseNumber) {
        random = new SplittableRandom(new SplittableRandom(seed).nextLong() ^ 0x9E3779B97F4A7C15L * caseNumber);
    }

    /// From 0, up to but without the bound.
    int below(int bound) {
        return random.nextInt(bound);
    }

    /// From the first to the last, both included.
    int between(int first, int last) {
        return random.nextInt(first, last + 1);
    }

    boolean percent(int chance) {
        return random.nextInt(100) < chance;
    }

    boolean toss() {
        return random.nextBoolean();
    }

    long bits() {
        return random.nextLong();
    }

    <T> T of(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
