package dev.counterpoint.summarizer.describe;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Decides after each complete thought of one reasoning message what the model is doing, by cues alone; the result
/// is vague if cues are few or disagree. Used when no model chooses the description. The same text gives the same
/// thoughts, however it is split. Linear time, bounded memory. Not thread-safe.
public final class CueClassifier {
    /// Up to this many thoughts without a cue continue the last clear activity.
    private static final int QUIET_MAX = 3;
    /// The weight of a thought against the remainder of the thoughts before it.
    private static final int FRESH = 2;
    /// The score of an activity that can be named: one strong cue or two plain ones in a thought.
    private static final int ACTIVITY_MIN = 8;

    private final SummaryContext context;
    private final CueIndex cues;
    private final ThoughtCutter cutter = new ThoughtCutter(this::take);
    private final int[] scores = new int[Activity.values().length];
    private List<Thought> thoughts = new ArrayList<>();
    private @Nullable Activity last;
    private int changes;
    private int quiet;
    /// Whether cues named the last activity.
    private boolean clear;
    private boolean ends;

    public CueClassifier(SummaryContext context) {
        this.context = context;
        cues = CueIndex.of(context.language());
    }

    /// More of the reasoning, in any pieces.
    ///
    /// @return the thoughts that it completes
    public List<Thought> accept(String text) {
        cutter.accept(text);
        return drain();
    }

    /// The message is over; an incomplete thought counts as well.
    public List<Thought> finish() {
        ends = true;
        cutter.finish();
        return drain();
    }

    private List<Thought> drain() {
        var drained = List.copyOf(thoughts);
        thoughts = new ArrayList<>();
        return drained;
    }

    private void take(String text, long endOffset) {
        var activity = activity(cues.weights(text, context.topicCues()));
        boolean change = activity != last;
        changes += change && last != null ? 1 : 0;
        last = activity;
        var description = new Description(activity, Subject.GENERAL, context.phrase(changes));
        thoughts.add(new Thought(endOffset, description, change));
    }

    private Activity activity(int[] thought) {
        if (changes > 0) {
            // A model at work repeats the user's wish without going back to it.
            thought[Activity.UNDERSTANDING.ordinal()] /= 2;
        }
        if (thought[best(thought)] == 0) {
            quiet++;
            return last != null && clear && quiet <= QUIET_MAX && !ends ? last : unclear();
        }
        quiet = 0;
        for (int i = 0; i < scores.length; i++) {
            scores[i] = scores[i] / 2 + FRESH * thought[i];
        }
        int best = best(scores);
        clear = scores[best] >= ACTIVITY_MIN;
        return clear ? Activity.values()[best] : unclear();
    }

    /// A model begins with the question and ends with its answer.
    private Activity unclear() {
        if (last == null) {
            return Activity.UNDERSTANDING;
        }
        return ends ? Activity.DECIDING : Activity.THINKING_THROUGH;
    }

    /// The first of the greatest values.
    private static int best(int[] scores) {
        int best = 0;
        for (int i = 1; i < scores.length; i++) {
            best = scores[i] > scores[best] ? i : best;
        }
        return best;
    }
}
