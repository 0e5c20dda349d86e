package dev.counterpoint.summarizer.write;

import dev.counterpoint.bus.draft.DraftTask;
import dev.counterpoint.bus.frame.SummarySentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The parts of one response's summary that a model has a say in. The place of a change in the log is held until it is
/// decided who tells the change; the part by cues takes it whenever the model's part does not. One draft is under way
/// at
/// a time: of the changes that come meanwhile a model is asked about the latest, and cues describe the others. Pure:
/// time
/// and answers come in, prompts go out. Not thread-safe.
public abstract class ModelParts {
    private static final long IDLE = Long.MAX_VALUE;

    final HeldChanges changes;
    private final String model;
    private final long timeoutMillis;
    private final List<String> outcomes = new ArrayList<>();
    private int drafts;
    private long giveUpMillis = IDLE;

    /// Where parts stand until it is decided how they are told.
    public interface Places {
        /// Lets go of a held place.
        ///
        /// @param told null for the part by cues
        void settle(int place, @Nullable SummarySentence told);
    }

    /// @param model that is asked
    ModelParts(Places places, String model, long timeoutMillis) {
        changes = new HeldChanges(places);
        this.model = model;
        this.timeoutMillis = timeoutMillis;
    }

    /// Raw reasoning of any message.
    ///
    /// @param told whether the model thinks here, as opposed to calling a tool
    public void reasoned(String text, boolean told) {
        if (told) {
            changes.reasoned(text);
        }
    }

    /// A change is due at a place, which is held until it is settled.
    ///
    /// @param described the part by cues
    public void changed(int place, SummarySentence described) {
        changes.add(place, described);
    }

    /// The message of reasoning is over. Nothing waits: cues describe all held changes.
    public void endMessage() {
        if (giveUpMillis != IDLE) {
            decline(PartOutcome.LATE);
        }
        describeAllBut(0);
        changes.endMessage();
    }

    /// The log holds the next place, whoever wrote it.
    ///
    /// @param part that stands there; null for the end of a message
    public abstract void shown(int place, @Nullable SummarySentence part);

    /// The next draft to ask for; null for none. Settles a change that has waited for too long.
    ///
    /// @param nowMillis of a clock that only goes forward
    /// @param room whether one more may be asked for
    public @Nullable ModelDraft next(long nowMillis, boolean room) {
        if (nowMillis >= giveUpMillis) {
            decline(PartOutcome.LATE);
        }
        if (giveUpMillis != IDLE) {
            return secondDraft(nowMillis, room);
        }
        describeAllBut(1);
        // A part is judged together with those before it, so the log has to hold them.
        var change = changes.next();
        if (change == null) {
            return null;
        }
        var segment = changes.segment(change);
        if (segment.isBlank()) {
            describeAllBut(0);
            return null;
        }
        var task = room ? question(segment) : null;
        if (task == null) {
            decline(room ? PartOutcome.TOO_MUCH : PartOutcome.NO_ROOM);
            return null;
        }
        changes.asked(change);
        giveUpMillis = nowMillis + timeoutMillis;
        return draft(nowMillis, model, task);
    }

    final ModelDraft draft(long nowMillis, String asked, DraftTask task) {
        return new ModelDraft(++drafts, asked, task, giveUpMillis - nowMillis);
    }

    /// A model answered. An answer that comes twice, or for another draft than the latest, changes nothing.
    ///
    /// @param number of the draft
    /// @param text null when nothing comes
    public void answered(int number, @Nullable String text) {
        if (number == drafts && giveUpMillis != IDLE) {
            answered(text);
        }
    }

    /// The results of changes since the last call, as words for a metric.
    public List<String> outcomes() {
        var since = List.copyOf(outcomes);
        outcomes.clear();
        return since;
    }

    /// The question about a segment of reasoning; null if it is too much to ask.
    abstract @Nullable DraftTask question(String segment);

    /// The draft that follows the first one.
    @Nullable
    ModelDraft secondDraft(long nowMillis, boolean room) {
        return null;
    }

    abstract void answered(@Nullable String text);

    /// Cues describe the first change.
    void describe() {
        changes.settle(null);
    }

    final void decline(Enum<?> outcome) {
        decided(outcome);
        describe();
    }

    final void decided(Enum<?> outcome) {
        outcomes.add(outcome.name().toLowerCase(Locale.ROOT));
        idle();
    }

    /// No draft is under way.
    void idle() {
        giveUpMillis = IDLE;
    }

    private void describeAllBut(int kept) {
        while (changes.size() > kept) {
            describe();
        }
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "[drafts=" + drafts + "]";
    }
}
