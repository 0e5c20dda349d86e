package dev.counterpoint.gateway.log.follow;

import dev.counterpoint.bus.frame.End;
import dev.counterpoint.gateway.generation.ModelOutput;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// Keeps the answer behind the summary of the reasoning before it, so that clients read one item after the
/// other. What opens it is in the log: the end of the summary, or the owner's word that none comes. Pure;
/// not thread-safe.
final class SummaryGate {
    private final Deque<ModelOutput> held = new ArrayDeque<>();
    private Due due;

    /// The part of the summary that is still to come.
    private sealed interface Due {
        /// None was asked for, or none comes any more.
        record Nothing() implements Due {}

        /// @param reasoned the last message of reasoning that was let through, -1 for none
        /// @param summedUp the last one that the summary is done with
        record Summary(int reasoned, int summedUp) implements Due {
            boolean behind() {
                return reasoned > summedUp;
            }
        }

        default Due reasoned(int message) {
            return this instanceof Summary(int _, int summedUp) ? new Summary(message, summedUp) : this;
        }

        default Due summedUp(int message) {
            return this instanceof Summary(int reasoned, int before)
                    ? new Summary(reasoned, Math.max(before, message))
                    : this;
        }
    }

    /// @param due whether the caller is to get a summary; else all passes
    SummaryGate(boolean due) {
        this.due = due ? new Due.Summary(-1, -1) : new Due.Nothing();
    }

    /// Takes the next output; gives those whose turn it is now.
    List<ModelOutput> accept(ModelOutput next) {
        return switch (next) {
            case ModelOutput.SummarySentence _ -> due instanceof Due.Summary ? List.of(next) : List.of();
            case ModelOutput.SummaryEnded(int message, boolean _) -> {
                due = due.summedUp(message);
                yield due instanceof Due.Summary ? released(next) : List.of();
            }
            case ModelOutput.SummaryAbandoned _ -> {
                boolean first = due instanceof Due.Summary;
                due = new Due.Nothing();
                yield first ? released(next) : List.of();
            }
            case ModelOutput.Steered _ -> List.of(next); // is no part of the answer
            case ModelOutput.Stopped _ -> {
                due = new Due.Nothing();
                held.add(next);
                yield released();
            }
            case ModelOutput.Passage _, ModelOutput.Hidden _, ModelOutput.SealedReasoning _, ModelOutput.Finished _ -> {
                held.add(next);
                yield released();
            }
        };
    }

    /// True if something waits for a summary.
    boolean closed() {
        return !held.isEmpty();
    }

    private List<ModelOutput> released(ModelOutput... first) {
        var released = new ArrayList<>(List.of(first));
        while (!held.isEmpty() && !waits(held.peek())) {
            var output = held.remove();
            note(output);
            released.add(output);
        }
        return released;
    }

    private boolean waits(ModelOutput output) {
        return due instanceof Due.Summary summary
                && summary.behind()
                && switch (output) {
                    case ModelOutput.Passage passage -> !passage.reasoning();
                    case ModelOutput.Finished(End end) -> end.finish().answer() != End.Answer.NONE;
                    case ModelOutput.Hidden _,
                            ModelOutput.SealedReasoning _,
                            ModelOutput.SummarySentence _,
                            ModelOutput.SummaryEnded _,
                            ModelOutput.SummaryAbandoned _,
                            ModelOutput.Steered _,
                            ModelOutput.Stopped _ -> false;
                };
    }

    private void note(ModelOutput output) {
        switch (output) {
            case ModelOutput.Passage passage when passage.reasoning() -> due = due.reasoned(passage.message());
            case ModelOutput.Hidden(int message) -> due = due.reasoned(message);
            case ModelOutput.Passage _,
                    ModelOutput.SealedReasoning _,
                    ModelOutput.SummarySentence _,
                    ModelOutput.SummaryEnded _,
                    ModelOutput.SummaryAbandoned _,
                    ModelOutput.Steered _,
                    ModelOutput.Finished _,
                    ModelOutput.Stopped _ -> {}
        }
    }
}
