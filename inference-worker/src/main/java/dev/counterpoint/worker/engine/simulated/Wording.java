package dev.counterpoint.worker.engine.simulated;

/// Chooses between ways to say the same; seed 0 always takes the first. Immutable.
record Wording(long seed) {
    String pick(String... variants) {
        return variants[index(variants[0].hashCode(), variants.length)];
    }

    int index(int topic, int size) {
        return seed == 0 ? 0 : (int) Math.floorMod(mix(seed * 31 + topic), (long) size);
    }

    /// Spreads the bits of a number (the finaliser of SplitMix64).
    static long mix(long value) {
        long mixed = value + 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
