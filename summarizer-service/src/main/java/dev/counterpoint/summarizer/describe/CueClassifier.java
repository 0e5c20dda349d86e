package dev.counterpoint.summarizer.describe;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Says after each complete thought of one reasoning message what the model is doing, by cues alone; where they are
/// few or disagree it is vague. The same text gives the same thoughts, in whatever pieces it comes. Linear time,
/// bounded memory. Not thread-safe.
public final class CueClassifier {
    /// So many thoughts without a cue go on with what was clear before.
    private static final int QUIET_MAX = 3;
    /// A thought counts so often against what is left of the thoughts before.
    private static final int FRESH = 2;
    private static final int FRESH_SUBJECT = 4;
    /// The score of an activity that can be named: one strong cue or two plain ones in a thought.
    private static final int ACTIVITY_MIN = 8;
    /// What the work that is asked for has ahead in a thought with a cue of it.
    private static final int REQUESTED = 2;
    /// The score of a subject that can be named.
    private static final int SUBJECT_MIN = 12;
    /// Different cues, of message and reasoning, that speak for a subject that can be named.
    private static final int SUBJECT_CUES_MIN = 2;
    /// How far it has to be ahead of the next one.
    private static final double SUBJECT_LEAD = 1.3;
    /// What the subject of the user's message has ahead.
    private static final int USERS_SUBJECT = 10;
    /// What the subject named last has ahead, lest it flickers.
    private static final int SAME_SUBJECT = 3;

    private static final Set<Activity> WITH_TOOLS =
            Set.of(Activity.CHOOSING_TOOL, Activity.USING_TOOL, Activity.READING_RESULT, Activity.HANDLING_FAILURE);

    private final SummaryContext context;
    private final ThoughtCutter cutter = new ThoughtCutter(this::take);
    private final int[] activities = new int[Activity.values().length];
    private final int[] subjects = new int[Subject.values().length];
    private final Map<Subject, Set<String>> subjectCues = new EnumMap<>(Subject.class);
    private List<Thought> thoughts = new ArrayList<>();
    private @Nullable Description last;
    private @Nullable String tool;
    private int changes;
    private int quiet;
    /// Whether cues named the activity last.
    private boolean clear;
    private boolean ends;
    /// Whether the work that is asked for was named.
    private boolean worked;
    /// Whether the model considered what is appropriate; it may not do what is asked for.
    private boolean doubts;

    public CueClassifier(SummaryContext context) {
        this.context = context;
        note(context.subjectCues());
    }

    private void note(Map<Subject, Set<String>> cues) {
        cues.forEach((subject, words) ->
                subjectCues.computeIfAbsent(subject, _ -> new HashSet<>()).addAll(words));
    }

    /// More of the reasoning, in any pieces.
    ///
    /// @return the thoughts that it completes
    public List<Thought> accept(String text) {
        cutter.accept(text);
        return drain();
    }

    /// The message is over: what is open is a thought, too.
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
        var scores = CueScores.of(text, context.language(), context.topicCues());
        var named = context.toolNamedIn(text);
        if (named != null) {
            tool = named;
        }
        var activity = activity(scores.activities);
        note(scores.subjectCues);
        worked |= activity == context.work();
        doubts |= activity == Activity.CHECKING_RULES;
        var subject = subject(scores.subjects);
        var shown = WITH_TOOLS.contains(activity) ? tool : null;
        var topic = new Description(activity, subject, shown, null);
        boolean change = last == null || !last.sameTopic(topic);
        changes += change && last != null ? 1 : 0;
        var now = topic.concerning(context.phrase(changes));
        last = now;
        thoughts.add(new Thought(endOffset, now, change));
    }

    private Activity activity(int[] thought) {
        weigh(thought);
        boolean silent = thought[CueScores.best(thought)] == 0;
        if (silent) {
            quiet++;
            boolean held = clear && quiet <= QUIET_MAX && !ends;
            return held ? Objects.requireNonNull(last).activity() : unclear();
        }
        quiet = 0;
        for (int i = 0; i < activities.length; i++) {
            activities[i] = activities[i] / 2 + FRESH * thought[i];
        }
        int best = CueScores.best(activities);
        clear = activities[best] >= ACTIVITY_MIN;
        return clear ? Activity.values()[best] : unclear();
    }

    /// A model that has begun to work says again what the user wants without going back to it. And it likely does what
    /// it is asked for.
    private void weigh(int[] thought) {
        if (changes > 0) {
            thought[Activity.UNDERSTANDING.ordinal()] /= 2;
        }
        var work = context.work();
        if (work != null && thought[work.ordinal()] > 0) {
            thought[work.ordinal()] += REQUESTED;
        }
    }

    /// What is true of most thoughts there: a model begins with the question, does what is asked, and ends with its
    /// answer.
    private Activity unclear() {
        if (last == null) {
            return Activity.UNDERSTANDING;
        }
        var work = doubts ? null : context.work();
        if (ends && (work == null || worked)) {
            return Activity.DECIDING;
        }
        return Objects.requireNonNullElse(work, Activity.THINKING_THROUGH);
    }

    private Subject subject(int[] thought) {
        boolean told = thought[CueScores.best(thought)] > 0;
        var named = new int[subjects.length];
        for (int i = 1; i < subjects.length; i++) {
            subjects[i] = told ? subjects[i] * 3 / 4 + FRESH_SUBJECT * thought[i] : subjects[i];
            named[i] = subjects[i];
        }
        named[context.subject().ordinal()] += USERS_SUBJECT;
        if (last != null) {
            named[last.subject().ordinal()] += SAME_SUBJECT;
        }
        named[0] = 0;
        int best = CueScores.best(named);
        return canBeNamed(best, named) ? Subject.values()[best] : Subject.GENERAL;
    }

    private boolean canBeNamed(int best, int[] scores) {
        int next = 0;
        for (int i = 0; i < scores.length; i++) {
            next = i == best ? next : Math.max(next, scores[i]);
        }
        int cues = subjectCues.getOrDefault(Subject.values()[best], Set.of()).size();
        return cues >= SUBJECT_CUES_MIN && scores[best] >= SUBJECT_MIN && scores[best] >= next * SUBJECT_LEAD;
    }
}
