package dev.counterpoint.engine.llama;

import dev.counterpoint.engine.llama.testkit.TestLibrary;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Locale;

/// llama.cpp with nothing around it but what every program must do, to measure others against: batches of sequences
/// whose next tokens are the greatest logits.
public final class BareLoop {
    private static final int WARM_TOKENS = 8;

    private final LlamaContext context;
    private final int sequences;
    private final int promptTokens;
    private final int[] last;
    private final int[] rows;
    private final float[] logits = new float[LlamaModel.VOCABULARY];

    private BareLoop(LlamaContext context, int sequences, int promptTokens) {
        this.context = context;
        this.sequences = sequences;
        this.promptTokens = promptTokens;
        this.last = new int[sequences];
        this.rows = new int[sequences];
    }

    /// Prints milliseconds to the first tokens, and tokens of all sequences a second from then on.
    ///
    /// @param arguments the file, sequences, tokens of a prompt, tokens to say, threads, tokens of the context
    public static void main(String... arguments) {
        var file = Path.of(arguments[0]);
        int sequences = Integer.parseInt(arguments[1]);
        int promptTokens = Integer.parseInt(arguments[2]);
        int tokens = Integer.parseInt(arguments[3]);
        int threads = Integer.parseInt(arguments[4]);
        int room = Integer.parseInt(arguments[5]);
        var api = LlamaApi.load(LlamaLibrary.find(TestLibrary.source()));
        var shape = new LlamaContext.Shape(room, 512, sequences, threads);
        try (var model = LlamaModel.load(api, file, LlamaModel.check(file), 0);
                var context = new LlamaContext(model, shape, () -> false)) {
            var loop = new BareLoop(context, sequences, promptTokens);
            loop.run(WARM_TOKENS);
            loop.run(tokens);
        }
        System.out.println("end");
    }

    private void run(int tokens) {
        long begun = System.nanoTime();
        for (int sequence = 0; sequence < sequences; sequence++) {
            prompt(sequence);
        }
        long first = System.nanoTime();
        for (int said = 1; said < tokens; said++) {
            next(promptTokens + said - 1);
        }
        double seconds = (System.nanoTime() - first) / 1e9;
        for (int sequence = 0; sequence < sequences; sequence++) {
            context.remove(sequence, 0);
        }
        double rate = sequences * (tokens - 1) / seconds;
        System.out.printf(Locale.ROOT, "bare %.1f %.2f%n", (first - begun) / 1e6, rate);
    }

    private void prompt(int sequence) {
        context.clear();
        for (int position = 0; position < promptTokens; position++) {
            boolean ends = position == promptTokens - 1;
            rows[sequence] = context.add(1000 + 97 * sequence + position, position, sequence, ends);
        }
        decode();
        last[sequence] = greatest(rows[sequence]);
    }

    private void next(int position) {
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
        if (context.decode() != LlamaContext.DONE) {
            throw new IllegalStateException("the batch was not computed");
        }
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
}
