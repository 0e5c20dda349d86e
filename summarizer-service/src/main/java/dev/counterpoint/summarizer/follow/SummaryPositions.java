package dev.counterpoint.summarizer.follow;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.frame.SummaryEnd;
import dev.counterpoint.bus.frame.SummarySentence;
import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.bus.seal.LaneKey;
import dev.counterpoint.bus.wire.UnknownFields;
import dev.counterpoint.summarizer.write.ModelParts;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The numbered positions of one response's summary: what stands where, and what of it the log holds. Keeps
/// only what the log does not show yet. Not thread-safe.
///
/// A position can be held until it is decided whether a model's part stands there. Such a part is no function
/// of the log: what the log holds there, counts, whoever wrote it. All else must be what this reader makes.
///
/// After [#fail] no position is promised any more: whatever the log shows is taken for what it is, and one
/// `SUMMARY_END` at a time goes to the next free position until all reasoning is covered.
final class SummaryPositions implements ModelParts.Places {
    private static final byte[] EMPTY = new byte[0];

    private final String tenant;
    private final ResponseId response;
    private final int format;
    private final Map<Long, LaneKey> visibleKeys = new HashMap<>();
    private final Deque<Entry> waiting = new ArrayDeque<>();
    private @Nullable Sealer sealer;
    /// The position of the first entry in `waiting`: the log holds those before it.
    private int shown;
    /// The next position to give out.
    private int given;
    private int lastEnded = -1;
    /// The last message whose end the log holds.
    private int covered = -1;
    private boolean failed;
    private boolean writtenToo;

    /// A frame to append.
    ///
    /// @param withheld whether it says that nothing could be said
    /// @param tier of the part that it tells
    record Due(Frame frame, boolean withheld, SummaryTier tier) {}

    private static final class Entry {
        final FrameKind kind;
        final int message;
        final byte[] body;
        final boolean withheld;
        final SummaryTier tier;
        /// True until it is decided whether a model's part stands here.
        boolean held;
        /// Null where the body stands.
        @Nullable
        SummarySentence told;

        private Entry(FrameKind kind, int message, byte[] body, boolean withheld, SummaryTier tier) {
            this.kind = kind;
            this.message = message;
            this.body = body;
            this.withheld = withheld;
            this.tier = tier;
        }

        static Entry of(int message, SummarySentence sentence) {
            return new Entry(FrameKind.SUMMARY, message, sentence.encode(), false, sentence.tier());
        }

        static Entry of(int message, SummaryEnd end) {
            return new Entry(FrameKind.SUMMARY_END, message, end.encode(), end.withheld(), SummaryTier.UNNAMED);
        }

        boolean admits(Frame frame, byte[] there, boolean writtenToo) {
            return kind == frame.kind()
                    && message == frame.message()
                    && (Arrays.equals(body, there) || isByModel(there, writtenToo));
        }

        private boolean isByModel(byte[] there, boolean writtenToo) {
            if (kind != FrameKind.SUMMARY) {
                return false;
            }
            var sentence = SummarySentence.decode(there);
            return sentence.opensPart()
                    && (sentence.tier() == SummaryTier.DECIDED || writtenToo && sentence.tier() == SummaryTier.WRITTEN);
        }
    }

    private record Sealer(int attempt, long nonce, LaneKey key) {}

    /// @param format of the frames of the response
    SummaryPositions(String tenant, ResponseId response, int format) {
        this.tenant = tenant;
        this.response = response;
        this.format = format;
    }

    /// From now on frames are sealed for the worker that wrote `fence`.
    void sealWith(Frame fence, LaneKey visible) {
        sealer = new Sealer(fence.attempt(), fence.nonce(), visible);
        visibleKeys.put(fence.nonce(), visible);
    }

    void add(int message, SummarySentence sentence) {
        waiting.add(Entry.of(message, sentence));
    }

    /// Adds a part that is not given out before it is settled.
    ///
    /// @param described what stands there unless a model's part does
    /// @return its position
    int hold(int message, SummarySentence described) {
        var entry = Entry.of(message, described);
        entry.held = true;
        waiting.add(entry);
        return shown + waiting.size() - 1;
    }

    @Override
    public void settle(int place, @Nullable SummarySentence told) {
        int index = shown;
        for (var entry : waiting) {
            if (index++ == place) {
                entry.held = false;
                entry.told = told;
            }
        }
    }

    /// Lets go of all held places: described parts stand there.
    void settleAll() {
        waiting.forEach(entry -> entry.held = false);
    }

    /// From now on a written part may stand in place of a described one.
    void admitWritten() {
        writtenToo = true;
    }

    /// The position of the next frame that the log will hold.
    int next() {
        return shown;
    }

    void add(int message, SummaryEnd end) {
        waiting.add(Entry.of(message, end));
        lastEnded = message;
    }

    /// The last message that was ended here, or -1.
    int lastEnded() {
        return lastEnded;
    }

    /// The log holds `frame` at the next position.
    ///
    /// @return the part that it tells; null for an end, and after a failure
    /// @throws IllegalStateException when something else belongs there
    @Nullable
    SummarySentence shown(Frame frame) {
        shown++;
        if (frame.kind() == FrameKind.SUMMARY_END) {
            covered = Math.max(covered, frame.message());
        }
        if (failed) {
            return null;
        }
        var ours = waiting.poll();
        given = Math.max(given, shown);
        var key = Objects.requireNonNull(visibleKeys.get(frame.nonce()), "a summary of an unknown worker");
        var there = key.open(tenant, frame);
        if (ours == null || !ours.admits(frame, there, writtenToo)) {
            throw new IllegalStateException("the log holds another summary");
        }
        return frame.kind() == FrameKind.SUMMARY ? SummarySentence.decode(there) : null;
    }

    /// Drops all entries that wait. Frames that are on their way may still come.
    void fail() {
        failed = true;
        waiting.clear();
    }

    /// Gives out, once, the frames that the log does not hold.
    ///
    /// @param reasoned the last reasoning message, or -1
    List<Due> due(int reasoned) {
        var by = sealer;
        if (by == null) {
            return List.of();
        }
        return failed ? dueEnd(by, reasoned) : dueEntries(by);
    }

    /// After all that is on its way, so that it takes no part's position.
    private List<Due> dueEnd(Sealer by, int reasoned) {
        if (reasoned <= covered || given > shown) {
            return List.of();
        }
        given = shown + 1;
        return List.of(due(by, shown, Entry.of(reasoned, new SummaryEnd(true))));
    }

    /// Up to the first that is held: the log takes positions in their order.
    private List<Due> dueEntries(Sealer by) {
        var frames = new ArrayList<Due>();
        int place = shown;
        for (var entry : waiting) {
            if (entry.held) {
                break;
            }
            if (place >= given) {
                frames.add(due(by, place, entry));
            }
            place++;
        }
        given = Math.max(given, place);
        return frames;
    }

    private Due due(Sealer by, int place, Entry entry) {
        var bare = new Frame(
                response,
                by.attempt,
                by.nonce,
                place,
                Lane.SUMMARY,
                entry.kind,
                entry.message,
                EMPTY,
                UnknownFields.NONE,
                EMPTY,
                format);
        var told = entry.told;
        var sealed = bare.withBody(by.key.seal(told == null ? entry.body : told.encode(), tenant, bare));
        // An end is a decision, and signed when it is appended.
        var frame = entry.kind == FrameKind.SUMMARY ? sealed.withProof(by.key.tag(sealed)) : sealed;
        return new Due(frame, entry.withheld, told == null ? entry.tier : told.tier());
    }

    void again() {
        given = shown;
    }

    /// True if the log holds everything.
    ///
    /// @param reasoned the last reasoning message, or -1
    boolean complete(int reasoned) {
        return failed ? reasoned <= covered : waiting.isEmpty();
    }
}
