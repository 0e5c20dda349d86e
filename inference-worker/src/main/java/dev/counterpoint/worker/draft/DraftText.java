package dev.counterpoint.worker.draft;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.parse.HarmonyEvent;
import dev.counterpoint.harmony.parse.HarmonyParser;
import dev.counterpoint.prompt.DeclaredFunctions;
import dev.counterpoint.worker.constraint.StrictCheck;
import java.util.Objects;

/// The answer among the tokens of a draft, and whether it fits its schema. Checks every engine, including those
/// that obey a mask. Not thread-safe.
final class DraftText {
    private final HarmonyParser parser = new HarmonyParser(Role.ASSISTANT);
    private final StrictCheck check;
    private final StringBuilder text = new StringBuilder();
    private boolean answering;

    /// @param job with a strict format
    /// @throws IllegalArgumentException when its schema cannot be enforced
    DraftText(String tenant, GenerationJob job) {
        check = Objects.requireNonNull(StrictCheck.of(tenant, job, DeclaredFunctions.of(job)));
    }

    /// @return false when the draft can no longer succeed
    boolean accept(int token) {
        parser.accept(token, this::take);
        return check.accept(token);
    }

    /// The model came to its end by itself.
    ///
    /// @return whether all of the answer is there
    boolean finish() {
        parser.finish(this::take);
        return check.finish();
    }

    private void take(HarmonyEvent event) {
        switch (event) {
            case HarmonyEvent.MessageStarted started ->
                answering = started.recipient() == null && Channels.FINAL.equals(started.channel());
            case HarmonyEvent.TextDelta(String more) -> text.append(answering ? more : "");
            case HarmonyEvent.MessageEnded _, HarmonyEvent.Repaired _ -> {}
        }
    }

    String text() {
        return text.toString();
    }
}
