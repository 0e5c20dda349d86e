package dev.counterpoint.gateway.log.follow;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.generation.ResponseStory;
import dev.counterpoint.gateway.generation.ResponseStory.Attempt;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Collects the [ResponseStory] of one response from its frames: a few numbers, no content. Not thread-safe.
public final class StoryAssembler {
    private final Accepted accepted;
    private final ResponseOutputs outputs;
    private final List<Progress> attempts = new ArrayList<>();
    private final SummaryProgress summary = new SummaryProgress();
    private @Nullable String ending;
    private @Nullable Long endedAt;
    private ResponseStory.@Nullable Tokens tokens;
    private @Nullable Integer resent;
    private int losingFences;
    private int voidFrames;
    private int steers;

    private static final class Progress {
        private final long openedAt;
        private @Nullable String worker;
        private @Nullable Long fencedAt;
        private @Nullable Long firstReasoningAt;
        private @Nullable Long firstTextAt;
        private @Nullable Long closedAt;
        private int reasoningFrames;
        private int textFrames;
        private String outcome = "queued";

        private Progress(long openedAt) {
            this.openedAt = openedAt;
        }

        private void fence(@Nullable String by, long at) {
            worker = by;
            fencedAt = at;
            outcome = "running";
        }

        private void delta(Lane lane, long at) {
            if (lane == Lane.REASONING) {
                reasoningFrames++;
                firstReasoningAt = firstReasoningAt == null ? Long.valueOf(at) : firstReasoningAt;
            } else {
                textFrames++;
                firstTextAt = firstTextAt == null ? Long.valueOf(at) : firstTextAt;
            }
        }

        private void close(String how, long at) {
            if (closedAt == null) {
                outcome = how;
                closedAt = at;
            }
        }
    }

    private static final class SummaryProgress {
        private int parts;
        private int sentences;
        private @Nullable String tier;
        private @Nullable Long firstAt;
        private @Nullable Long closedAt;
        private String outcome = "pending";

        private void close(String how) {
            outcome = how;
        }
    }

    /// @param outputs reads the same frames
    public StoryAssembler(Accepted accepted, ResponseOutputs outputs) {
        this.accepted = accepted;
        this.outputs = outputs;
        attempts.add(new Progress(accepted.acceptedAtMillis()));
    }

    /// Reads the next frame of the log, frame 0 included, where nobody else does.
    ///
    /// @param millis time of its record
    public void take(Frame frame, long millis) {
        if (!outputs.reader().counts(frame)) {
            ignored(frame);
            return;
        }
        var told = outputs.read(frame);
        counted(frame, millis);
        told.forEach(this::accept);
    }

    /// A frame that no reader counts.
    void ignored(Frame frame) {
        voidFrames++;
        if (frame.kind() == FrameKind.FENCE) {
            losingFences++;
        }
    }

    /// An owner sent the ticket again.
    void resent() {
        resent = resent == null ? 1 : resent + 1;
    }

    /// A frame that counts, after it was read.
    void counted(Frame frame, long millis) {
        var current = attempts.getLast();
        switch (frame.kind()) {
            case FENCE -> current.fence(outputs.reader().worker(), millis);
            case REISSUE -> {
                current.close("lost", millis);
                attempts.add(new Progress(millis));
            }
            case HANDOVER -> current.close("handed_over", millis);
            case DELTA -> current.delta(frame.lane(), millis);
            case END -> end("ended", millis);
            case OWNER_END -> end("stopped", millis);
            case SUMMARY -> summary.firstAt = summary.firstAt == null ? Long.valueOf(millis) : summary.firstAt;
            case SUMMARY_END, SUMMARY_ABANDONED -> summary.closedAt = millis;
            case STEER -> steers++;
            case ACCEPTED, SEALED_REASONING, PROGRESS, UNKNOWN -> {}
        }
    }

    private void end(String how, long millis) {
        attempts.getLast().close(how, millis);
        endedAt = millis;
    }

    /// An output of the frames.
    void accept(ModelOutput output) {
        switch (output) {
            case ModelOutput.Finished(var end) -> {
                ending = word(end.finish());
                tokens = new ResponseStory.Tokens(
                        end.inputTokens(),
                        end.cachedTokens(),
                        end.reasoningTokens(),
                        end.outputTokens() - end.reasoningTokens());
            }
            case ModelOutput.Stopped(var reason) -> ending = word(reason);
            case ModelOutput.SummarySentence sentence -> {
                summary.sentences++;
                summary.parts += sentence.opensPart() ? 1 : 0;
                summary.tier = sentence.tier() == SummaryTier.UNNAMED ? summary.tier : word(sentence.tier());
            }
            case ModelOutput.SummaryEnded(int _, boolean withheld) -> summary.close(withheld ? "withheld" : "complete");
            case ModelOutput.SummaryAbandoned _ -> summary.close("abandoned");
            case ModelOutput.Passage _, ModelOutput.Hidden _, ModelOutput.SealedReasoning _, ModelOutput.Steered _ -> {}
        }
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /// True once the answer and its summary have ended.
    public boolean over() {
        return ending != null;
    }

    public ResponseStory story() {
        var told = new ArrayList<Attempt>();
        for (var one : attempts) {
            told.add(new Attempt(
                    told.size() + 1,
                    one.openedAt,
                    one.worker,
                    one.fencedAt,
                    one.firstReasoningAt,
                    one.firstTextAt,
                    one.closedAt,
                    one.reasoningFrames,
                    one.textFrames,
                    one.outcome));
        }
        return new ResponseStory(
                accepted.tenant(),
                accepted.key(),
                accepted.model(),
                accepted.gateway(),
                word(accepted.band()),
                accepted.background(),
                accepted.stored(),
                accepted.rawReaders().contains(ServiceRole.GATEWAY),
                accepted.audited(),
                accepted.acceptedAtMillis(),
                accepted.deadlineMillis(),
                ending,
                endedAt,
                told,
                resent,
                losingFences,
                voidFrames,
                steers,
                tokens,
                accepted.summaryDue() ? summary() : null);
    }

    private ResponseStory.Summary summary() {
        return new ResponseStory.Summary(
                summary.parts, summary.sentences, summary.tier, summary.firstAt, summary.closedAt, summary.outcome);
    }
}
