package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.frame.LogModel.Event;
import dev.counterpoint.bus.seal.KeyRing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What somebody can append to a log who reads all topics and may write them: copies of existing records,
/// records of another response, and the best that can be made of every kind with keys that may not write it. Not
/// thread-safe.
final class Forgeries {
    private static final List<FrameKind> KINDS = List.of(FrameKind.values());
    private static final int SEQUENCE_MAX = 2;

    private final SealedEvents log;
    private final List<KeyRing> forgers;
    /// A whole answer to somebody else.
    private final List<Frame> elsewhere;

    private final Map<List<Integer>, List<Frame>> known = new HashMap<>();

    Forgeries(SealedEvents log, List<KeyRing> forgers, List<Frame> elsewhere) {
        this.log = log;
        this.forgers = forgers;
        this.elsewhere = elsewhere;
    }

    /// @param before the log so far
    List<Frame> after(List<Frame> before, LogView.State view) {
        int holder = view.holder() == null ? 1 : view.holder().intValue();
        var all = new ArrayList<>(before);
        all.addAll(known.computeIfAbsent(List.of(view.attempt(), holder), _ -> made(view.attempt(), holder)));
        before.forEach(frame -> all.addAll(altered(frame)));
        return all;
    }

    private List<Frame> made(int attempt, int holder) {
        var made = new ArrayList<Frame>();
        for (var kind : KINDS) {
            for (var event : kind == FrameKind.UNKNOWN ? List.<Event>of() : events(kind, attempt, holder)) {
                for (var forger : forgers) {
                    made.add(log.forged(event, attempt, forger));
                }
                made.add(made.getLast().withProof(new byte[0]));
                made.add(made.getLast().withProof(new byte[64]));
            }
        }
        for (var frame : elsewhere) {
            made.add(frame);
            made.add(moved(frame, new Moved(frame.attempt(), frame.nonce(), frame.seq())));
            made.add(moved(frame, new Moved(attempt, holder, 0)));
            made.add(moved(frame, new Moved(attempt, holder, 1)));
        }
        return made;
    }

    /// An event of this kind at each place where one could count.
    static List<Event> events(FrameKind kind, int attempt, int holder) {
        int forged = SealedEvents.FORGED;
        return switch (kind) {
            case ACCEPTED, OWNER_END, SUMMARY_ABANDONED, STEER -> List.of(new Event(kind, 0, attempt, forged));
            case REISSUE -> List.of(new Event(kind, 0, attempt + 1, forged));
            case FENCE ->
                List.of(
                        new Event(kind, SealedEvents.INTRUDER, attempt, forged),
                        new Event(kind, SealedEvents.INTRUDER, attempt + 1, forged));
            case PROGRESS, HANDOVER -> List.of(new Event(kind, holder, 0, forged));
            case DELTA, SEALED_REASONING, END, SUMMARY, SUMMARY_END -> {
                var events = new ArrayList<Event>();
                for (int sequence = 0; sequence <= SEQUENCE_MAX; sequence++) {
                    events.add(new Event(kind, holder, sequence, forged));
                }
                yield events;
            }
            case UNKNOWN -> List.of();
        };
    }

    private record Moved(int attempt, long nonce, int seq) {}

    /// The same proof on another place of this log.
    private Frame moved(Frame frame, Moved to) {
        return new Frame(
                log.response(),
                to.attempt,
                to.nonce,
                to.seq,
                frame.lane(),
                frame.kind(),
                frame.message(),
                frame.body(),
                frame.unknown(),
                frame.proof(),
                frame.format());
    }

    private List<Frame> altered(Frame frame) {
        return List.of(
                moved(frame, new Moved(frame.attempt() + 1, frame.nonce(), frame.seq())),
                moved(frame, new Moved(frame.attempt(), frame.nonce(), frame.seq() + 1)),
                moved(frame, new Moved(frame.attempt(), SealedEvents.INTRUDER, frame.seq())));
    }
}
