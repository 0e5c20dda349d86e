package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.frame.LogModel.Ending;
import dev.counterpoint.bus.frame.LogModel.Event;
import dev.counterpoint.bus.frame.LogModel.Reader;
import dev.counterpoint.bus.frame.LogModel.Reading;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/// Walks through every order in which a summary can be written beside its answer: up to three attempts, two summarizers
/// that write different sentences, two owners that abandon, a cancel. A summarizer writes what is next in its view of
/// the log, which may lack the last frames. [Interleavings] covers what workers and queues do to an attempt.
final class SummaryInterleavings {
    private static final int ATTEMPTS_MAX = 3;
    private static final int STALE_FRAMES_MAX = 2;
    private static final int SUMMARIZERS = 2;
    private static final int SENTENCES = 1;
    /// More than any response needs to its end once nothing goes wrong any more.
    private static final int CALM_STEPS_MAX = 12;

    private final Reader reader;

    SummaryInterleavings(Reader uncached) {
        Map<String, Reading> readings = new HashMap<>();
        reader = log -> readings.computeIfAbsent(log, uncached::read);
    }

    /// What the walk found.
    ///
    /// @param settled logs after which a client has all it waits for
    /// @param abandoned those of them whose answer is whole and whose summary is not
    /// @param violation the first one, with its log; empty when there is none
    record Findings(int logs, int settled, int abandoned, String violation) {}

    /// @param told tokens that were valid when the holder took over
    /// @param owners abandonments that may still be appended
    private record State(String log, int told, int cancels, int owners, int staleViews) {
        State appending(Event event) {
            return new State(log + event.code(), told, cancels, owners, staleViews);
        }
    }

    Findings walk(int framesMax) {
        var start = new State("", 0, 1, 2, 1);
        var seen = new HashSet<State>(List.of(start));
        var open = new ArrayDeque<State>(List.of(start));
        int settled = 0;
        int abandoned = 0;
        while (!open.isEmpty()) {
            var state = open.pop();
            var violation = violation(state);
            if (!violation.isEmpty()) {
                return new Findings(seen.size(), settled, abandoned, violation + ": " + LogModel.describe(state.log));
            }
            var reading = reader.read(state.log);
            settled += reading.settled() ? 1 : 0;
            abandoned += reading.settled() && reading.ending() == Ending.COMPLETED && !whole(reading) ? 1 : 0;
            if (state.log.length() < framesMax) {
                next(state, reading).stream().filter(seen::add).forEach(open::push);
            }
        }
        return new Findings(seen.size(), settled, abandoned, "");
    }

    private static boolean whole(Reading reading) {
        return reading.summary().told().size() == SENTENCES + 1;
    }

    private List<State> next(State state, Reading reading) {
        var next = new ArrayList<State>();
        if (reading.ending() == Ending.NONE) {
            run(state, reading, next);
        }
        int length = state.log.length();
        for (int seen = Math.max(0, length - STALE_FRAMES_MAX); seen <= length; seen++) {
            int stale = seen < length ? 1 : 0;
            var view = reader.read(state.log.substring(0, seen));
            if (stale <= state.staleViews && sumsUp(view)) {
                var less = new State(state.log, state.told, state.cancels, state.owners, state.staleViews - stale);
                for (int writer = 1; writer <= SUMMARIZERS; writer++) {
                    next.add(less.appending(sentence(view, writer)));
                }
            }
        }
        if (state.owners > 0) {
            next.add(new State(state.log, state.told, state.cancels, state.owners - 1, state.staleViews)
                    .appending(new Event(FrameKind.SUMMARY_ABANDONED, 0, 0, 0)));
        }
        return next;
    }

    /// What workers and owners append to a response that runs.
    private static void run(State state, Reading reading, List<State> next) {
        if (!reading.fenced()) {
            next.add(fenced(state, reading));
        } else if (reading.attempt() < ATTEMPTS_MAX) {
            next.add(state.appending(new Event(FrameKind.REISSUE, 0, reading.attempt() + 1, 0)));
        }
        if (reading.holder() != LogModel.NOBODY) {
            next.add(spoken(state, reading));
        }
        if (state.cancels > 0) {
            next.add(new State(state.log, state.told, state.cancels - 1, state.owners, state.staleViews)
                    .appending(new Event(FrameKind.OWNER_END, 0, 0, 0)));
        }
    }

    private static State fenced(State state, Reading reading) {
        var taken = new State(state.log, reading.tokens().size(), state.cancels, state.owners, state.staleViews);
        return taken.appending(new Event(FrameKind.FENCE, reading.attempt(), reading.attempt(), 0));
    }

    private static State spoken(State state, Reading reading) {
        int position = reading.tokens().size();
        var kind = position == LogModel.ANSWER ? FrameKind.END : FrameKind.DELTA;
        int place = kind == FrameKind.END ? 0 : position;
        return state.appending(new Event(kind, reading.holder(), position - state.told, place));
    }

    /// Whether a summarizer that sees this has something to say.
    private static boolean sumsUp(Reading view) {
        return !view.tokens().isEmpty() && !view.summary().settled();
    }

    private static Event sentence(Reading view, int writer) {
        int place = view.summary().told().size();
        var kind = place < SENTENCES ? FrameKind.SUMMARY : FrameKind.SUMMARY_END;
        return new Event(kind, view.holder(), place, writer);
    }

    private String violation(State state) {
        var log = state.log;
        if (log.isEmpty()) {
            return "";
        }
        var before = reader.read(log.substring(0, log.length() - 1));
        var now = reader.read(log);
        var told = now.summary().told();
        var known = before.summary().told();
        for (int place = 0; place < told.size(); place++) {
            if (told.get(place).number() != place) {
                return "a gap or a repeat in the summary";
            }
        }
        if (told.size() < known.size() || !told.subList(0, known.size()).equals(known)) {
            return "a reader would have to take back a sentence";
        }
        boolean over = before.summary().settled() || abandoned(log.substring(0, log.length() - 1));
        if (over && told.size() > known.size()) {
            return "a sentence after the last";
        }
        if (!before.summary().settled()
                && now.ending() == Ending.COMPLETED
                && now.summary().settled()) {
            if (!whole(now) && !abandoned(log)) {
                return "a summary is cut off that nobody abandoned";
            }
        }
        var answer = reader.read(withoutSummary(log));
        if (!answer.tokens().equals(now.tokens()) || answer.ending() != now.ending()) {
            return "a summary changes the answer";
        }
        return settlesWhenCalm(state) ? "" : "never settles";
    }

    private static boolean abandoned(String log) {
        return log.chars().anyMatch(code -> Event.of((char) code).kind() == FrameKind.SUMMARY_ABANDONED);
    }

    private static String withoutSummary(String log) {
        var answer = new StringBuilder();
        log.chars()
                .filter(code -> switch (Event.of((char) code).kind()) {
                    case SUMMARY, SUMMARY_END, SUMMARY_ABANDONED -> false;
                    case ACCEPTED,
                            REISSUE,
                            FENCE,
                            DELTA,
                            SEALED_REASONING,
                            PROGRESS,
                            HANDOVER,
                            END,
                            OWNER_END,
                            STEER,
                            UNKNOWN -> true;
                })
                .forEach(code -> answer.append((char) code));
        return answer.toString();
    }

    /// Whether the client gets all once nothing goes wrong any more: the holder speaks, a summarizer sums up.
    private boolean settlesWhenCalm(State state) {
        var calm = state;
        for (int step = 0; step < CALM_STEPS_MAX; step++) {
            var reading = reader.read(calm.log);
            if (reading.settled()) {
                return true;
            }
            if (reading.ending() != Ending.NONE) {
                calm = calm.appending(sentence(reading, 1));
            } else {
                calm = reading.fenced() ? spoken(calm, reading) : fenced(calm, reading);
            }
        }
        return false;
    }
}
