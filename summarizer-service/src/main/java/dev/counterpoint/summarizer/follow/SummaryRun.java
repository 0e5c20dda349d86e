package dev.counterpoint.summarizer.follow;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.frame.ResponseLog;
import dev.counterpoint.bus.frame.SummaryEnd;
import dev.counterpoint.bus.frame.SummarySentence;
import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.LogTrust;
import dev.counterpoint.summarizer.write.ModelDraft;
import dev.counterpoint.summarizer.write.ModelParts;
import dev.counterpoint.summarizer.write.PartOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The summary of one response: frames of its log in, frames to append out. No clock, no I/O; not thread-safe.
///
/// The summary is a function of the log alone, so a successor that reads the log from frame 0 makes the same one
/// at the same positions and gives out only what the log does not hold yet. Two summarizers at once do no harm:
/// the log takes the first frame at each position. Where a model has a say, the log is the truth: what it holds
/// counts, and a successor asks anew for what it does not hold.
///
/// It fails closed. A frame that cannot be read, text code that throws, or a log whose summary is not the one this
/// reader makes (another version wrote it) end the summary: from there on each reasoning message is only closed, as
/// withheld.
final class SummaryRun {
    private static final int NONE = -1;
    private static final String NO_LANGUAGE = "none";

    private final ResponseId response;
    private final Accepted accepted;
    private final KeyRing keys;
    private final SentenceSource.Factory texts;
    private final LogTrust trust;
    private final ResponseLog log;
    private final SummaryPositions positions;
    private @Nullable SentenceSource text;
    /// Null where no model is asked.
    private @Nullable ModelParts models;

    private boolean writtenAsked;
    private List<String> outcomes = List.of();
    private @Nullable Throwable unprepared;
    private @Nullable AttemptKeys attemptKeys;
    /// The reasoning message that has begun and not ended.
    private @Nullable OpenMessage open;
    /// The last reasoning message seen.
    private int reasoned = NONE;
    /// When the log took the frame that is being read.
    private long atMillis;
    private boolean failed;
    private boolean closed;

    private static final class OpenMessage {
        final int ordinal;
        /// True if the message is the model's own analysis, as opposed to a call of a tool inside the reasoning
        /// lane.
        final boolean analysis;
        boolean hasText;
        boolean summarized;

        OpenMessage(int ordinal, boolean analysis) {
            this.ordinal = ordinal;
            this.analysis = analysis;
        }
    }

    /// The reason for which a summary ended early. Tells no content.
    ///
    /// @param at the frame that could not be taken
    /// @param cause class of what was thrown
    record Failure(FrameKind at, String cause) {}

    /// @param trust that verified frame 0
    SummaryRun(LogTrust trust, Accepted accepted, KeyRing keys, SentenceSource.Factory texts) {
        this.trust = trust;
        this.response = trust.response();
        this.accepted = accepted;
        log = new ResponseLog(trust);
        this.keys = keys;
        this.texts = texts;
        positions = new SummaryPositions(accepted.tenant(), response, accepted.format());
    }

    /// Reads the request, which takes long where it is long; once, before the first [#accept], and on any thread.
    void prepare() {
        try {
            var context = Accepted.summaryContext(accepted.tenant(), response);
            var job = SummaryJob.decode(keys.open(accepted.sealed().summaryJob(), context));
            text = texts.begin(job);
            writtenAsked = job.tier() == SummaryTier.WRITTEN;
            prepareModels(job);
        } catch (RuntimeException | StackOverflowError e) {
            unprepared = e;
        }
    }

    private void prepareModels(SummaryJob job) {
        try {
            models = texts.byModel(job, accepted.model(), positions);
        } catch (RuntimeException | StackOverflowError e) {
            outcomes = List.of(PartOutcome.BROKEN.word());
        }
    }

    /// What breaks here ends the asking: the rest of the summary is described by cues alone.
    private void models(Consumer<ModelParts> step) {
        if (models == null) {
            return;
        }
        try {
            step.accept(models);
        } catch (RuntimeException | StackOverflowError e) {
            outcomes = List.of(PartOutcome.BROKEN.word());
            models = null;
            positions.settleAll();
        }
    }

    /// Takes the next frame of the log, beginning with frame 0.
    ///
    /// @return what made the summary fail with this frame, or null
    @Nullable
    Failure accept(LoggedFrame logged) {
        var frame = logged.frame();
        if (log.accept(frame) == ResponseLog.Verdict.VOID) {
            return null;
        }
        if (frame.kind() == FrameKind.DELTA && frame.lane() == Lane.REASONING) {
            reasoned = Math.max(reasoned, frame.message());
        }
        try {
            atMillis = logged.atMillis();
            read(frame);
            return null;
        } catch (RuntimeException | StackOverflowError e) {
            // A deep recursion is a way for text to break the code that reads it, and harms nothing outside it.
            boolean first = !failed;
            failed = true;
            text = null;
            models = null;
            positions.fail();
            return first ? new Failure(frame.kind(), e.getClass().getSimpleName()) : null;
        }
    }

    private void read(Frame frame) {
        switch (frame.kind()) {
            case ACCEPTED -> prepared();
            case FENCE -> fenced(frame);
            case DELTA -> delta(frame);
            case END -> endMessage();
            case SUMMARY, SUMMARY_END -> shown(frame);
            case OWNER_END, SUMMARY_ABANDONED -> closed = true;
            case REISSUE, SEALED_REASONING, PROGRESS, HANDOVER, STEER, UNKNOWN -> {}
        }
    }

    private void shown(Frame frame) {
        int place = positions.next();
        var part = positions.shown(frame);
        models(parts -> parts.shown(place, part));
    }

    private void prepared() {
        switch (unprepared) {
            case null -> {
                Objects.requireNonNull(text, "not prepared");
                if (writtenAsked) {
                    positions.admitWritten();
                }
            }
            case RuntimeException e -> throw e;
            case Throwable e -> throw (Error) e;
        }
    }

    private void fenced(Frame frame) {
        var fresh = trust.keysOf(frame.nonce());
        attemptKeys = fresh;
        positions.sealWith(frame, Objects.requireNonNull(fresh.visible(), "no key to the visible lane"));
    }

    private void delta(Frame frame) {
        switch (frame.lane()) {
            case REASONING -> reasoning(frame);
            case VISIBLE -> endMessage();
            case CONTROL, SUMMARY -> throw new IllegalStateException("a delta outside its lanes");
        }
    }

    private void reasoning(Frame frame) {
        if (failed) {
            return;
        }
        var delta = Objects.requireNonNull(
                Objects.requireNonNull(attemptKeys).delta(accepted.tenant(), frame), "no key to the reasoning lane");
        var message = open;
        if (message == null || frame.message() != message.ordinal) {
            endMessage();
            message = begin(frame.message(), Objects.requireNonNull(delta.header(), "a message without a header"));
        } else if (delta.header() != null) {
            throw new IllegalStateException("a second header");
        }
        boolean told = message.analysis;
        models(parts -> parts.reasoned(delta.text(), told));
        if (message.analysis && !delta.text().isEmpty()) {
            message.hasText |= !delta.text().isBlank();
            say(message, text().accept(delta.text(), atMillis));
        }
        if (delta.closed()) {
            endMessage();
        }
    }

    private OpenMessage begin(int ordinal, Delta.Header header) {
        if (ordinal <= positions.lastEnded()) {
            throw new IllegalStateException("a message that was over");
        }
        var begun = new OpenMessage(ordinal, header.recipient() == null);
        open = begun;
        return begun;
    }

    /// Closes the open reasoning message, if there is one: the gateway waits for nothing more of it.
    private void endMessage() {
        var message = open;
        if (message == null || failed) {
            return;
        }
        var last = message.analysis ? text().endMessage(atMillis) : List.<SummarySentence>of();
        models(ModelParts::endMessage);
        last.forEach(sentence -> positions.add(message.ordinal, sentence));
        message.summarized |= !last.isEmpty();
        positions.add(message.ordinal, new SummaryEnd(message.hasText && !message.summarized));
        open = null;
    }

    private SentenceSource text() {
        return Objects.requireNonNull(text, "frame 0 was not read");
    }

    private void say(OpenMessage message, List<SummarySentence> sentences) {
        for (var sentence : sentences) {
            message.summarized = true;
            if (models == null) {
                positions.add(message.ordinal, sentence);
            } else {
                int place = positions.hold(message.ordinal, sentence);
                models(parts -> parts.changed(place, sentence));
            }
        }
    }

    /// The frames to append now, in this order. Each frame is given out once; see [#again].
    List<SummaryPositions.Due> due() {
        return closed ? List.of() : positions.due(reasoned);
    }

    /// The draft that a model is to be asked for now; null for none. What waits for one for too long is due at once.
    ///
    /// @param nowMillis of a clock that only goes forward
    /// @param room whether one more may be asked for
    @Nullable
    ModelDraft draft(long nowMillis, boolean room) {
        var next = new AtomicReference<@Nullable ModelDraft>();
        if (!closed) {
            models(parts -> next.set(parts.next(nowMillis, room)));
        }
        return next.get();
    }

    /// A model answered the draft with this number.
    ///
    /// @param draft null when nothing comes
    void drafted(int number, @Nullable String draft) {
        models(parts -> parts.answered(number, draft));
    }

    /// What became of changes that a model was to tell, since the last call.
    List<String> outcomes() {
        var all = new ArrayList<>(outcomes);
        outcomes = List.of();
        models(parts -> all.addAll(parts.outcomes()));
        return all;
    }

    /// The language of what is due, or `none` where nothing was made.
    String language() {
        return text == null ? NO_LANGUAGE : text.language();
    }

    /// Frames that were given out may be lost: [#due] gives out again all that the log does not show yet.
    void again() {
        positions.again();
    }

    /// True if the log holds all of this summary, or takes no more of it.
    boolean done() {
        return closed || log.ended() && positions.complete(reasoned);
    }
}
