package dev.counterpoint.summarizer.write;

import dev.counterpoint.bus.frame.SummarySentence;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// The changes of one message whose places are held, in their order, and the reasoning that each is about. Bounded
/// memory. Not thread-safe.
final class HeldChanges {
    /// Characters of reasoning that a model reads: the last ones.
    static final int READ_MAX = 4_000;

    private static final int READ_TWICE = 2;

    private final ModelParts.Places places;
    private final Deque<Change> changes = new ArrayDeque<>();
    /// The end of the reasoning, and where it begins in the message.
    private final StringBuilder recent = new StringBuilder();

    private long before;
    /// Characters of the message that a model was asked about.
    private long askedAbout;
    /// Places that the log holds.
    private int taken;

    /// @param described the part that cues alone describe
    /// @param reasonedTo characters of the message up to it
    record Change(int place, SummarySentence described, long reasonedTo) {}

    HeldChanges(ModelParts.Places places) {
        this.places = places;
    }

    void reasoned(String text) {
        recent.append(text);
        int tooMuch = recent.length() - READ_TWICE * READ_MAX;
        if (tooMuch > 0) {
            recent.delete(0, tooMuch);
            before += tooMuch;
        }
    }

    void add(int place, SummarySentence described) {
        changes.add(new Change(place, described, before + recent.length()));
    }

    int size() {
        return changes.size();
    }

    /// The next change, once the log holds all parts before it; null before.
    @Nullable
    Change next() {
        var first = changes.peekFirst();
        return first == null || first.place > taken ? null : first;
    }

    /// The reasoning since the last change that a model was asked about.
    String segment(Change change) {
        int from = (int) Math.max(0, askedAbout - before);
        int end = (int) Math.max(from, change.reasonedTo - before);
        return recent.substring(from, end);
    }

    void asked(Change change) {
        askedAbout = Math.max(askedAbout, change.reasonedTo);
    }

    /// Lets go of the first change.
    ///
    /// @param told null for the part that cues alone describe
    void settle(@Nullable SummarySentence told) {
        places.settle(changes.removeFirst().place, told);
    }

    Change first() {
        return changes.getFirst();
    }

    /// The log holds the next place.
    ///
    /// @param byModel whether a model told what stands there
    /// @return whether a change was held there, which it is no longer
    boolean shown(int place, boolean byModel) {
        taken = place + 1;
        boolean held = false;
        while (!changes.isEmpty() && changes.getFirst().place <= place) {
            var change = changes.removeFirst();
            held = true;
            if (byModel) {
                asked(change);
            }
        }
        return held;
    }

    /// The message is over, and nothing is held any more.
    void endMessage() {
        recent.setLength(0);
        before = 0;
        askedAbout = 0;
    }
}
