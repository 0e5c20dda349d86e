package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.gateway.generation.ModelOutput;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Outputs as a worker may produce them, cut off anywhere: the same for the same seed.
public final class RandomScript {
    private static final List<String> TEXTS = List.of("Hel", "lo", " ", "{\"a\":", "1}", "é", "漢", "😀", "\n", "\"");

    private final Random random;
    private final boolean raw;
    private final List<ModelOutput> outputs = new ArrayList<>();
    private int message;

    private RandomScript(long seed, boolean raw) {
        this.random = new Random(seed);
        this.raw = raw;
    }

    /// @param raw whether the reasoning lane is open to the reader
    public static List<ModelOutput> of(long seed, boolean raw) {
        return new RandomScript(seed, raw).write();
    }

    private List<ModelOutput> write() {
        int runs = random.nextInt(6);
        for (int run = 0; run < runs; run++) {
            switch (random.nextInt(6)) {
                case 0, 1 -> analysis();
                case 2 -> visible("final", null);
                case 3 -> visible("commentary", null);
                case 4 -> visible(random.nextBoolean() ? "commentary" : "analysis", "functions.f" + run);
                default -> visible("commentary", "browser.search");
            }
        }
        if (random.nextInt(4) == 0 && !outputs.isEmpty()) {
            int kept = random.nextInt(outputs.size());
            outputs.subList(kept, outputs.size()).clear();
        }
        outputs.add(ending());
        return outputs;
    }

    private void analysis() {
        int messages = 1 + random.nextInt(3);
        for (int i = 0; i < messages; i++) {
            if (raw) {
                message("analysis", random.nextInt(8) == 0 ? "python" : null, true);
            } else {
                int frames = 1 + random.nextInt(4);
                for (int frame = 0; frame < frames; frame++) {
                    outputs.add(new ModelOutput.Hidden(message));
                }
            }
            summary();
            message++;
        }
        if (random.nextInt(5) > 0) {
            outputs.add(new ModelOutput.SealedReasoning("sealed" + message));
        }
    }

    /// Now and then; after it was abandoned too, which no log has and no reader may stumble over.
    private void summary() {
        int sentences = random.nextInt(4);
        for (int sentence = 0; sentence < sentences; sentence++) {
            var text = TEXTS.get(random.nextInt(TEXTS.size()));
            outputs.add(new ModelOutput.SummarySentence(message, random.nextInt(3) == 0, text, SummaryTier.DESCRIBED));
        }
        outputs.add(
                random.nextInt(8) == 0
                        ? new ModelOutput.SummaryAbandoned()
                        : new ModelOutput.SummaryEnded(message, sentences == 0));
    }

    private void visible(String channel, @Nullable String recipient) {
        message(channel, recipient, false);
        message++;
    }

    private void message(String channel, @Nullable String recipient, boolean reasoning) {
        outputs.add(ModelScript.opens(message, reasoning, channel, recipient));
        int pieces = random.nextInt(5);
        for (int piece = 0; piece < pieces; piece++) {
            outputs.add(ModelScript.says(message, reasoning, TEXTS.get(random.nextInt(TEXTS.size()))));
        }
        if (random.nextInt(5) > 0) {
            outputs.add(ModelScript.closes(message, reasoning));
        }
    }

    private ModelOutput ending() {
        // The contract has no word for the code of a form that is too complex, and is older than the reason `steered`.
        var finishes = Stream.of(End.Finish.values())
                .filter(finish -> finish != End.Finish.GRAMMAR_TOO_COMPLEX && finish != End.Finish.STEERED)
                .toList();
        var reasons = OwnerEnd.Reason.values();
        int pick = random.nextInt(finishes.size() + reasons.length);
        return pick < finishes.size()
                ? ModelScript.finish(finishes.get(pick))
                : new ModelOutput.Stopped(reasons[pick - finishes.size()]);
    }
}
