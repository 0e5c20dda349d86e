package dev.counterpoint.engine.remote;

import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.Urgency;
import dev.counterpoint.engine.http.ServerFailure;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/// Has a server say a few tokens, as jobs will: what it refuses then it would refuse every job.
final class ServerTrial {
    /// No path of a trial is a path of a model: the tokens of a seed differ between almost all seeds after a few.
    private static final int DRAWN = 12;

    static final int[] PROMPT = HarmonyTokenizer.shared().encode("tangerine seven the of quickly blue if Monday");
    private static final Sampling BIASED = Sampling.GREEDY.withLogitBias(Map.of(0, -1.0));
    private static final Sampling DRAWING = new Sampling(2, 1, 0, 0, 0, Map.of(), 11L, null);

    private final ServerQuestioning questions;
    private final RemoteOptions options;

    ServerTrial(ServerQuestioning questions, RemoteOptions options) {
        this.questions = questions;
        this.options = options;
    }

    /// @param told what the server said of itself
    /// @throws UnfitServerException when it serves no job as it is set up
    ServerProfile of(ServerProfile told) throws UnfitServerException, InterruptedException {
        try {
            var profile = biased(told);
            profile = prioritised(profile);
            return drawn(profile);
        } catch (ServerFailure e) {
            if (e.isOverload()) {
                return told;
            }
            throw questions.refused(e);
        }
    }

    private ServerProfile biased(ServerProfile told) throws ServerFailure, InterruptedException {
        try {
            questions.generate(ask(PROMPT, 1, BIASED, told));
            return told;
        } catch (ServerFailure e) {
            if (!e.isMistake()) {
                throw e;
            }
            questions.generate(ask(PROMPT, 1, Sampling.GREEDY, told));
            return told.withoutBias();
        }
    }

    private ServerProfile prioritised(ServerProfile told) throws InterruptedException {
        if (!options.dialect().mayOrder()) {
            return told;
        }
        var ordering = told.withPriorities(ServerProfile.Priorities.LOWEST_FIRST);
        try {
            questions.generate(ask(PROMPT, 1, Sampling.GREEDY, ordering));
            return ordering;
        } catch (ServerFailure e) {
            return told;
        }
    }

    private ServerProfile drawn(ServerProfile told) throws InterruptedException {
        var drawing = told.drawingByPosition();
        try {
            var whole = questions.generate(ask(PROMPT, DRAWN, DRAWING, drawing));
            var said = whole.stream().mapToInt(Integer::intValue).limit(DRAWN / 2);
            int[] begun = IntStream.concat(Arrays.stream(PROMPT), said).toArray();
            var rest = questions.generate(ask(begun, DRAWN / 2, DRAWING, drawing));
            boolean exact =
                    whole.size() == DRAWN && whole.subList(DRAWN / 2, DRAWN).equals(rest);
            return exact ? drawing : told;
        } catch (ServerFailure e) {
            return told;
        }
    }

    private ServerRequest ask(int[] ids, int maxTokens, Sampling sampling, ServerProfile server) {
        return new ServerRequest(
                ids,
                PROMPT.length,
                maxTokens,
                sampling,
                Set.of(),
                Set.of(),
                Set.of(),
                null,
                "",
                options.upstreamModel(),
                Urgency.LOW,
                server);
    }
}
