package dev.counterpoint.engine.llama;

import dev.counterpoint.engine.llama.testkit.TestLibrary;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Locale;

/// llama.cpp with nothing around it but what every program must do, to measure others against: batches of sequences
/// whose next tokens are the greatest logits.
public final class BareLoop implements AutoCloseable {
    private static final int WARM_TOKENS = 8;
    private static final int BATCH_TOKENS = 512;

    private final LlamaModel model;
    private final LlamaContext context;
    private final int[] last;
    private final int[] rows;
    private final float[] logits;
    private long decodeNanos;

    /// What one run took; rates are tokens of all sequences a second, after the first of each.
    ///
    /// @param decodeRate as if choosing the greatest logit took no time
    public record Pace(double firstMillis, double rate, double decodeRate) {}

    /// @param sequences at most
    /// @param threads that compute
    /// @param room tokens of all sequences together
    public BareLoop(Path file, int sequences, int threads, int room) {
        var api = LlamaApi.load(LlamaLibrary.find(TestLibrary.source()));
        var header = GgufHeader.read(file);
        this.model = LlamaModel.load(api, ModelFile.of(file, header), header, 0);
        this.logits = new float[model.vocabularySize()];
        this.context =
                new LlamaContext(model, new LlamaContext.Shape(room, BATCH_TOKENS, sequences, threads), () -> false);
        this.last = new int[sequences];
        this.rows = new int[sequences];
    }

    /// Prints milliseconds to the first tokens, and tokens of all sequences a second from then on.
    ///
    /// @param arguments the file, sequences, tokens of a prompt, tokens to say, threads, tokens of the context
    public static void main(String... arguments) {
        int sequences = Integer.parseInt(arguments[1]);
        int promptTokens = Integer.parseInt(arguments[2]);
        int tokens = Integer.parseInt(arguments[3]);
        int threads = Integer.parseInt(arguments[4]);
        int room = Integer.parseInt(arguments[5]);
        try (var loop = new BareLoop(Path.of(arguments[0]), sequences, threads, room)) {
            print(loop.run(sequences, promptTokens, WARM_TOKENS));
            print(loop.run(sequences, promptTokens, tokens));
        }
        System.out.println("end");
    }

    private static void print(Pace pace) {
        System.out.printf(Locale.ROOT, "bare %.1f %.2f%n", pace.firstMillis, pace.rate);
    }

    /// The first of a prompt's tokens, each of which is one more than the one before.
    public static int promptOf(int sequence) {
        return 1000 + 97 * sequence;
    }

    /// @param tokens that each sequence says
    public Pace run(int sequences, int promptTokens, int tokens) {
        long begun = System.nanoTime();
        for (int sequence = 0; sequence < sequences; sequence++) {
            prompt(sequence, promptTokens);
        }
        long first = System.nanoTime();
        decodeNanos = 0;
        for (int said = 1; said < tokens; said++) {
            next(sequences, promptTokens + said - 1);
        }
        long nanos = System.nanoTime() - first;
        for (int sequence = 0; sequence < sequences; sequence++) {
            context.remove(sequence, 0);
        }
        double said = sequences * (tokens - 1);
        return new Pace((first - begun) / 1e6, said / (nanos / 1e9), said / (decodeNanos / 1e9));
    }

    private void prompt(int sequence, int promptTokens) {
        context.clear();
        for (int position = 0; position < promptTokens; position++) {
            boolean ends = position == promptTokens - 1;
            rows[sequence] = context.add(promptOf(sequence) + position, position, sequence, ends);
        }
        decode();
        last[sequence] = greatest(rows[sequence]);
    }

    private void next(int sequences, int position) {
        context.clear();
        for (int sequence = 0; sequence < sequences; sequence++) {
            rows[sequence] = context.add(last[sequence], position, sequence, true);
        }
        decode();
        for (int sequence = 0; sequence < sequences; sequence++) {
            last[sequence] = greatest(rows[sequence]);
        }
    }

    private void decode() {
        long begun = System.nanoTime();
        if (context.decode() != LlamaContext.DONE) {
            throw new IllegalStateException("the batch was not computed");
        }
        decodeNanos += System.nanoTime() - begun;
    }

    private int greatest(int row) {
        var step = context.logits(row);
        MemorySegment.copy(step, ValueLayout.JAVA_FLOAT, 0, logits, 0, logits.length);
        int greatest = 0;
        for (int token = 1; token < logits.length; token++) {
            greatest = logits[token] > logits[greatest] ? token : greatest;
        }
        return greatest;
    }

    @Override
    public void close() {
        context.close();
        model.close();
    }
}
