package dev.counterpoint.local.faults;

import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What counts in the log of one response: the rules of the design read a third time, by somebody who has not
/// looked at the reader that the services share. Not thread-safe.
///
/// * A frame before `ACCEPTED` is void.
/// * Attempt 1 is open from the start, attempt n+1 from the first `REISSUE` of that number on.
/// * The first `FENCE` of the open attempt gives the floor to its nonce; what anybody else says is void.
/// * What one nonce says counts while its numbers follow each other from 0; after a gap nothing of it counts.
/// * The first `END` of who has the floor, with the number of what was said, or the first `OWNER_END` is the
///   ending.
/// * Summary frames count by place under the nonce of anybody who ever had the floor, until the owner gives the
///   summary up or ends the response.
final class LogReading {
    private final List<Turn> turns = new ArrayList<>();
    private final List<Frame> summary = new ArrayList<>();
    private final Set<Integer> fenced = new HashSet<>();
    private final Set<Long> speakers = new HashSet<>();
    private int openAttempt = 1;
    private int summedUpTo = -1;
    private boolean summaryClosed;
    private @Nullable Frame accepted;
    private @Nullable Frame ending;

    /// What one worker said while it had the floor.
    static final class Turn {
        final Frame fence;
        final List<Frame> said = new ArrayList<>();
        private boolean gap;

        private Turn(Frame fence) {
            this.fence = fence;
        }
    }

    /// @param log every frame of the response, in the order of the log
    static LogReading of(List<Frame> log) {
        var reading = new LogReading();
        log.forEach(reading::read);
        return reading;
    }

    private void read(Frame frame) {
        if (accepted == null && frame.kind() != FrameKind.ACCEPTED) {
            return;
        }
        switch (frame.kind()) {
            case SUMMARY, SUMMARY_END -> readSummary(frame);
            case SUMMARY_ABANDONED -> summaryClosed = true;
            case ACCEPTED, REISSUE, FENCE, DELTA, SEALED_REASONING, END, OWNER_END -> {
                if (ending == null) {
                    readRunning(frame);
                }
            }
            case PROGRESS, HANDOVER, STEER, UNKNOWN -> {}
        }
    }

    private void readRunning(Frame frame) {
        switch (frame.kind()) {
            case ACCEPTED -> accepted = accepted == null ? frame : accepted;
            case REISSUE -> openAttempt += frame.attempt() == openAttempt + 1 ? 1 : 0;
            case FENCE -> {
                if (frame.attempt() == openAttempt && fenced.add(openAttempt)) {
                    turns.add(new Turn(frame));
                    speakers.add(frame.nonce());
                }
            }
            case DELTA, SEALED_REASONING -> {
                if (hasFloor(frame) && !turns.getLast().gap) {
                    say(turns.getLast(), frame);
                }
            }
            case END -> {
                if (hasFloor(frame)
                        && !turns.getLast().gap
                        && frame.seq() == turns.getLast().said.size()) {
                    ending = frame;
                }
            }
            case OWNER_END -> {
                ending = frame;
                summaryClosed = true;
            }
            case PROGRESS, HANDOVER, SUMMARY, SUMMARY_END, SUMMARY_ABANDONED, STEER, UNKNOWN -> {}
        }
    }

    private static void say(Turn turn, Frame frame) {
        if (frame.seq() == turn.said.size()) {
            turn.said.add(frame);
        } else if (frame.seq() > turn.said.size()) {
            turn.gap = true;
        }
    }

    private boolean hasFloor(Frame frame) {
        return !turns.isEmpty() && turns.getLast().fence.nonce() == frame.nonce();
    }

    private void readSummary(Frame frame) {
        boolean tooLate = frame.kind() == FrameKind.SUMMARY && frame.message() <= summedUpTo;
        if (summaryClosed || tooLate || frame.seq() != summary.size() || !speakers.contains(frame.nonce())) {
            return;
        }
        summary.add(frame);
        if (frame.kind() == FrameKind.SUMMARY_END) {
            summedUpTo = Math.max(summedUpTo, frame.message());
        }
    }

    /// Frame 0; null where the log has none.
    @Nullable
    Frame accepted() {
        return accepted;
    }

    /// The winners of the floor, in order, each with what counts of it.
    List<Turn> turns() {
        return turns;
    }

    /// Summary frames that count, in order.
    List<Frame> summary() {
        return summary;
    }

    /// Null while it runs.
    @Nullable
    Frame ending() {
        return ending;
    }
}
