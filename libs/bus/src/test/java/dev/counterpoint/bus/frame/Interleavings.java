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
import java.util.Random;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// Walks through every order in which two workers, the owners of a response, a cancel, a kill, a lost append, a
/// redelivery and duplicate jobs can write one log, and checks each log that comes about. What follows an ending is not
/// walked through: [LogModel#violation] appends every event to every log that has ended.
///
/// An owner decides on what it has read so far; one of the decisions may come from a second owner whose view lacks the
/// last one or two frames.
final class Interleavings {
    private static final int ATTEMPTS_MAX = 3;
    private static final int STALE_FRAMES_MAX = 2;
    private static final int INTRUSIONS_MAX = 2;
    /// More than any response needs to its end once nothing goes wrong any more.
    private static final int CALM_STEPS_MAX = 60;

    private final Reader uncached;
    private final Reader reader;
    private final boolean blindPrefix;
    private final Intruder intruder;
    private final Map<String, Reading> readings = new HashMap<>();
    private final Map<String, String> violations = new HashMap<>();

    /// @param blindPrefix breaks the workers: they take over without having read the frame before their fence
    Interleavings(Reader reader, boolean blindPrefix) {
        this(reader, blindPrefix, (_, _) -> List.of());
    }

    /// @param intruder appends too, at any time and up to [#INTRUSIONS_MAX] times
    Interleavings(Reader reader, boolean blindPrefix, Intruder intruder) {
        uncached = reader;
        this.reader = log -> readings.computeIfAbsent(log, reader::read);
        this.blindPrefix = blindPrefix;
        this.intruder = intruder;
    }

    /// Somebody with keys of one of the services.
    interface Intruder {
        /// What it may append next, and every reader takes for genuine.
        List<Event> events(String log, Reading view);
    }

    /// What the walk found.
    ///
    /// @param states that it visited, each once
    /// @param violation the first one, with its log; empty when there is none
    record Findings(int states, int logs, int completed, int endedByOwner, String violation) {}

    private enum Phase {
        IDLE,
        FENCED,
        RUNNING
    }

    /// @param at its nonce's place in the log while fenced, its next `seq` while running
    private record Worker(Phase phase, int nonce, int at, int position) implements Comparable<Worker> {
        static final Worker IDLE = new Worker(Phase.IDLE, 0, 0, 0);

        @Override
        public int compareTo(Worker other) {
            return Integer.compare(code(), other.code());
        }

        private int code() {
            return phase.ordinal() << 12 | nonce << 8 | at << 4 | position;
        }
    }

    /// How often each misfortune may still happen.
    private record Left(
            int redeliveries, int losses, int kills, int cancels, int publications, int staleViews, int intrusions) {
        static final Left NOTHING = new Left(0, 0, 0, 0, 0, 0, 0);

        Left intruded() {
            return new Left(redeliveries, losses, kills, cancels, publications, staleViews, intrusions - 1);
        }

        Left redelivered() {
            return new Left(redeliveries - 1, losses, kills, cancels, publications, staleViews, intrusions);
        }

        Left lost() {
            return new Left(redeliveries, losses - 1, kills, cancels, publications, staleViews, intrusions);
        }

        Left killed() {
            return new Left(redeliveries, losses, kills - 1, cancels, publications, staleViews, intrusions);
        }

        Left cancelled() {
            return new Left(redeliveries, losses, kills, cancels - 1, publications, staleViews, intrusions);
        }

        Left published() {
            return new Left(redeliveries, losses, kills, cancels, publications - 1, staleViews, intrusions);
        }

        Left decided(int stale) {
            return new Left(redeliveries, losses, kills, cancels, publications, staleViews - stale, intrusions);
        }
    }

    /// @param jobs attempts that wait in the queue, in order
    private record State(String log, List<Integer> jobs, Worker one, Worker two, Left left, int nonces) {
        /// The workers are alike, so two states that differ in their order are one.
        State {
            if (one.compareTo(two) > 0) {
                var first = two;
                two = one;
                one = first;
            }
        }

        State appending(Event event) {
            return new State(log + event.code(), jobs, one, two, left, nonces);
        }

        State with(Worker before, Worker after) {
            return before.equals(one)
                    ? new State(log, jobs, after, two, left, nonces)
                    : new State(log, jobs, one, after, left, nonces);
        }

        State with(Left less) {
            return new State(log, jobs, one, two, less, nonces);
        }

        State with(List<Integer> queued) {
            return new State(log, queued, one, two, left, nonces);
        }
    }

    /// Checks that no log breaks a promise.
    Findings walk(int framesMax) {
        return walk(
                framesMax, state -> violations.computeIfAbsent(state.log, log -> LogModel.violation(log, uncached)));
    }

    /// Checks every log, and what its last frame made of it.
    ///
    /// @param check of a log gives what is wrong with it, or an empty string
    Findings walkLogs(int framesMax, UnaryOperator<String> check) {
        return walk(framesMax, state -> violations.computeIfAbsent(state.log, check));
    }

    /// One way through, drawn by chance, with more misfortunes.
    ///
    /// @return the log
    String wander(Random random, int framesMax) {
        var state = new State("", List.of(1), Worker.IDLE, Worker.IDLE, new Left(3, 1, 3, 0, 4, 3, 0), 1);
        while (state.log.length() < framesMax && reader.read(state.log).ending() == Ending.NONE) {
            var next = next(state);
            state = next.get(random.nextInt(next.size()));
        }
        return state.log;
    }

    /// Checks that from wherever misfortune has led a response, it ends once a worker lives, the queue delivers and an
    /// owner has read the log.
    Findings walkOn(int framesMax) {
        return walk(framesMax, state -> endsWhenCalm(state) ? "" : "never ends");
    }

    private Findings walk(int framesMax, Function<State, String> check) {
        var start = new State("", List.of(1), Worker.IDLE, Worker.IDLE, new Left(1, 1, 1, 1, 2, 1, INTRUSIONS_MAX), 1);
        var seen = new HashSet<State>(List.of(start));
        var open = new ArrayDeque<State>(List.of(start));
        int completed = 0;
        int endedByOwner = 0;
        while (!open.isEmpty()) {
            var state = open.pop();
            var violation = check.apply(state);
            if (!violation.isEmpty()) {
                return new Findings(
                        seen.size(),
                        violations.size(),
                        completed,
                        endedByOwner,
                        violation + ": " + LogModel.describe(state.log));
            }
            switch (reader.read(state.log).ending()) {
                case COMPLETED -> completed++;
                case BY_OWNER -> endedByOwner++;
                case NONE -> {
                    if (state.log.length() < framesMax) {
                        next(state).stream().filter(seen::add).forEach(open::push);
                    }
                }
            }
        }
        return new Findings(seen.size(), violations.size(), completed, endedByOwner, "");
    }

    private List<State> next(State state) {
        var next = new ArrayList<State>();
        work(state, state.one, next);
        if (!state.two.equals(state.one)) {
            work(state, state.two, next);
        }
        decide(state, next);
        var left = state.left;
        if (left.intrusions > 0) {
            intruder.events(state.log, reader.read(state.log))
                    .forEach(event -> next.add(state.with(left.intruded()).appending(event)));
        }
        if (left.cancels > 0) {
            next.add(state.with(left.cancelled()).appending(new Event(FrameKind.OWNER_END, 0, 0, 0)));
        }
        return next;
    }

    /// What one worker may do.
    private void work(State state, Worker worker, List<State> next) {
        var left = state.left;
        if (worker.phase != Phase.IDLE && left.kills > 0) {
            next.add(state.with(worker, Worker.IDLE).with(left.killed()));
        }
        switch (worker.phase) {
            case IDLE -> state.jobs.stream().distinct().forEach(job -> take(state, worker, job, next));
            case FENCED -> next.add(state.with(worker, afterReadingBack(state, worker)));
            case RUNNING -> speak(state, worker, next);
        }
    }

    /// A worker takes a job and appends its fence; the queue may deliver the job once more.
    private static void take(State state, Worker worker, int job, List<State> next) {
        int nonce = state.nonces;
        var fenced = new Worker(Phase.FENCED, nonce, state.log.length(), 0);
        var appended = state.with(worker, fenced).appending(new Event(FrameKind.FENCE, nonce, job, 0));
        var took = new State(appended.log, appended.jobs, appended.one, appended.two, appended.left, nonce + 1);
        var rest = new ArrayList<>(state.jobs);
        rest.remove((Integer) job);
        next.add(took.with(List.copyOf(rest)));
        var left = state.left;
        if (left.redeliveries > 0) {
            next.add(took.with(left.redelivered()));
        }
    }

    /// The worker reads the log up to its own fence: it goes on from the valid prefix, or away.
    private Worker afterReadingBack(State state, Worker worker) {
        var upToFence = reader.read(state.log.substring(0, worker.at + 1));
        var prefix = blindPrefix ? reader.read(state.log.substring(0, Math.max(0, worker.at - 1))) : upToFence;
        boolean won = upToFence.holder() == worker.nonce && upToFence.ending() == Ending.NONE;
        return won ? new Worker(Phase.RUNNING, worker.nonce, 0, prefix.tokens().size()) : Worker.IDLE;
    }

    private static void speak(State state, Worker worker, List<State> next) {
        if (worker.position >= LogModel.ANSWER) {
            next.add(state.with(worker, Worker.IDLE).appending(new Event(FrameKind.END, worker.nonce, worker.at, 0)));
            return;
        }
        var on = new Worker(Phase.RUNNING, worker.nonce, worker.at + 1, worker.position + 1);
        var spoken = state.with(worker, on);
        next.add(spoken.appending(new Event(FrameKind.DELTA, worker.nonce, worker.at, worker.position)));
        var left = state.left;
        if (left.losses > 0) {
            next.add(spoken.with(left.lost()));
        }
    }

    /// What an owner may do, on each view of the log that it may have.
    private void decide(State state, List<State> next) {
        int length = state.log.length();
        var left = state.left;
        for (int seen = Math.max(0, length - STALE_FRAMES_MAX); seen <= length; seen++) {
            int stale = seen < length ? 1 : 0;
            var view = reader.read(state.log.substring(0, seen));
            if (stale > left.staleViews || view.ending() != Ending.NONE) {
                continue;
            }
            var less = left.decided(stale);
            next.add(state.with(less).appending(decision(view.attempt())));
            if (left.publications > 0 && !state.jobs.contains(view.attempt())) {
                var jobs = new ArrayList<>(state.jobs);
                jobs.add(view.attempt());
                jobs.sort(null);
                next.add(state.with(less.published()).with(List.copyOf(jobs)));
            }
        }
    }

    private boolean endsWhenCalm(State state) {
        var calm = state.with(Left.NOTHING);
        for (int step = 0; step < CALM_STEPS_MAX; step++) {
            if (uncached.read(calm.log).ending() != Ending.NONE) {
                return true;
            }
            calm = next(calm, uncached.read(calm.log));
        }
        return false;
    }

    /// Workers finish what they do, then take what waits; then it is for the owner.
    private State next(State calm, Reading log) {
        var busiest = calm.two;
        if (busiest.phase != Phase.IDLE || !calm.jobs.isEmpty()) {
            var next = new ArrayList<State>();
            work(calm, busiest, next);
            return next.getFirst();
        }
        if (!log.fenced()) {
            return calm.with(List.of(log.attempt()));
        }
        return calm.appending(decision(log.attempt()));
    }

    private static Event decision(int attempt) {
        return attempt < ATTEMPTS_MAX
                ? new Event(FrameKind.REISSUE, 0, attempt + 1, 0)
                : new Event(FrameKind.OWNER_END, 0, 0, 0);
    }
}
