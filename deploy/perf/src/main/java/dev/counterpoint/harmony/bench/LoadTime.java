package dev.counterpoint.harmony.bench;

import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;

/// In a fresh JVM: how long until the vocabulary is there, checksum included.
final class LoadTime {
    private LoadTime() {}

    static void main() {
        long begin = System.nanoTime();
        HarmonyTokenizer.shared();
        double seconds = (System.nanoTime() - begin) / 1e9;
        System.out.println("load\t-\t" + seconds + "\t" + seconds + "\t0\t0");
    }
}
