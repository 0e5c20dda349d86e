package dev.counterpoint.harmony.bench;

import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// A megabyte without anything to split it at.
@State(Scope.Benchmark)
public class PieceBenchmark {
    static final int LENGTH = 1_000_000;

    @Param({"letter", "random letters"})
    public String piece = "";

    private final HarmonyTokenizer tokenizer = HarmonyTokenizer.shared();
    private String text = "";

    @Setup
    public void make() {
        var dice = new Random(1);
        var letters = new StringBuilder();
        for (int i = 0; i < LENGTH; i++) {
            letters.append(piece.equals("letter") ? 'a' : (char) ('a' + dice.nextInt(26)));
        }
        text = letters.toString();
    }

    @Benchmark
    public int[] encodePiece() {
        return tokenizer.encode(text);
    }
}
