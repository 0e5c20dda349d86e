package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.turn.ModelScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;

/// A turn as a model may say it: runs of analysis, preambles, calls and an answer, cut off anywhere, ended in any way.
/// The same for the same seed, whoever is told it.
///
/// @param seed of all that is random in it
/// @param end how it ends
record RandomTurn(long seed, Ends end) {
    /// How a turn ends.
    enum Ends {
        WHOLE,
        CUT_OFF,
        FAILED,
        EXPIRED
    }

    static RandomTurn of(Random random) {
        int dice = random.nextInt(10);
        var end = dice < 6 ? Ends.WHOLE : dice < 8 ? Ends.CUT_OFF : dice < 9 ? Ends.FAILED : Ends.EXPIRED;
        return new RandomTurn(random.nextLong(), end);
    }

    /// Whether it is part of what was said.
    boolean isSaid() {
        return end == Ends.WHOLE || end == Ends.CUT_OFF;
    }

    /// @param raw whether the caller gets raw reasoning
    /// @param sealed the sealed form of a run of analysis, by its number in the turn
    List<ModelOutput> says(boolean raw, IntFunction<String> sealed) {
        var random = new Random(seed);
        var outputs = new ArrayList<ModelOutput>();
        int message = 0;
        int runs = random.nextInt(3);
        for (int run = 0; run < runs; run++) {
            int thoughts = 1 + random.nextInt(3);
            for (int i = 0; i < thoughts; i++) {
                thought(message++, raw, "t" + run + i, outputs);
            }
            outputs.add(new ModelOutput.SealedReasoning(sealed.apply(run)));
            if (random.nextBoolean()) {
                text(message++, "commentary", "Let me see " + run + ".", outputs);
            }
        }
        int calls = random.nextInt(3);
        for (int call = 0; call < calls; call++) {
            outputs.add(ModelScript.opens(message, false, "commentary", "functions.add"));
            outputs.add(ModelScript.says(message, false, "{\"n\":" + call));
            outputs.add(ModelScript.says(message, false, "}"));
            outputs.add(ModelScript.closes(message++, false));
        }
        if (calls == 0) {
            text(message, "final", "It is " + seed % 100 + ", é漢😀.", outputs);
        }
        if (end != Ends.WHOLE) {
            int kept = random.nextInt(outputs.size() + 1);
            outputs.subList(kept, outputs.size()).clear();
        }
        outputs.add(
                switch (end) {
                    case WHOLE -> ModelScript.finish(End.Finish.STOP);
                    case CUT_OFF -> ModelScript.finish(End.Finish.MAX_TOKENS);
                    case FAILED -> ModelScript.finish(End.Finish.FAILED);
                    case EXPIRED -> new ModelOutput.Stopped(OwnerEnd.Reason.EXPIRED);
                });
        return outputs;
    }

    /// Hidden where the caller may not read it, piece by piece all the same.
    private static void thought(int message, boolean raw, String text, List<ModelOutput> outputs) {
        if (!raw) {
            outputs.add(new ModelOutput.Hidden(message));
            outputs.add(new ModelOutput.Hidden(message));
            outputs.add(new ModelOutput.Hidden(message));
            return;
        }
        outputs.add(ModelScript.opens(message, true, "analysis", null));
        outputs.add(ModelScript.says(message, true, text));
        outputs.add(ModelScript.closes(message, true));
    }

    private static void text(int message, String channel, String text, List<ModelOutput> outputs) {
        outputs.add(ModelScript.opens(message, false, channel, null));
        outputs.add(ModelScript.says(message, false, text.substring(0, 2)));
        outputs.add(ModelScript.says(message, false, text.substring(2)));
        outputs.add(ModelScript.closes(message, false));
    }
}
