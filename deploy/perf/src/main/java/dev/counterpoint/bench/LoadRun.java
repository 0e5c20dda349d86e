package dev.counterpoint.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// The load of one cell on one target. Each request starts when its schedule says, on a virtual thread of its own,
/// and its times count from then.
final class LoadRun {
    static final String MODEL = "bench";
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int UNAVAILABLE = 503;
    private static final int OPEN_SPARE = 64;
    private static final Duration DRAIN = Duration.ofSeconds(8);
    private static final Duration SILENCE_MAX = Duration.ofSeconds(30);
    private static final long POLL_NANOS = 5_000_000;

    /// Hears when the measured time begins and ends.
    interface Window {
        void begins();

        void ends();
    }

    /// Of a load that nobody measures.
    static final Window UNWATCHED = new Window() {
        @Override
        public void begins() {}

        @Override
        public void ends() {}
    };

    private final LoadTarget target;
    private final ArrivalSchedule schedule;
    private final HeardLoad heard = new HeardLoad();
    private final Deque<RawConnection> idle = new ConcurrentLinkedDeque<>();
    private final Set<RawConnection> busy = ConcurrentHashMap.newKeySet();
    private final AtomicInteger open = new AtomicInteger();
    private volatile boolean over;

    LoadRun(LoadTarget target, ArrivalSchedule schedule) {
        this.target = target;
        this.schedule = schedule;
    }

    /// Returns when every answer has ended or its time is over.
    HeardLoad run(Window window) {
        long begun = System.nanoTime();
        var clock = Thread.ofPlatform().start(() -> watch(begun, window));
        int openMax = 4 * schedule.streams() + OPEN_SPARE;
        for (int i = 0; i < schedule.starts().length; i++) {
            long start = schedule.starts()[i];
            sleepUntil(begun + start);
            if (open.get() >= openMax) {
                note(start, heard::asked);
                note(start, heard::unsent);
            } else {
                open.incrementAndGet();
                long number = i;
                Thread.ofVirtual().start(() -> ask(begun, start, number));
            }
        }
        sleepUntil(begun + schedule.until());
        long end =
                begun + schedule.until() + schedule.pace().answer().plus(DRAIN).toNanos();
        while (open.get() > 0 && System.nanoTime() < end) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        over = true;
        busy.forEach(LoadRun::close);
        while (open.get() > 0) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        idle.forEach(LoadRun::close);
        join(clock);
        return heard;
    }

    private void watch(long begun, Window window) {
        sleepUntil(begun + schedule.from());
        window.begins();
        heard.measuring(true);
        sleepUntil(begun + schedule.until());
        heard.measuring(false);
        window.ends();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private void ask(long begun, long start, long number) {
        long intended = begun + start;
        var reading = new StreamReading(heard::token);
        note(start, heard::asked);
        int status = 0;
        try {
            status = exchange(number, reading);
        } catch (IOException broken) {
            // The reading says how far it came.
        }
        if (schedule.isMeasured(start)) {
            conclude(status, reading, intended);
        }
        open.decrementAndGet();
    }

    private int exchange(long number, StreamReading reading) throws IOException {
        var kept = idle.pollFirst();
        if (kept == null) {
            return exchange(connect(), number, reading);
        }
        try {
            return exchange(kept, number, reading);
        } catch (IOException stale) {
            // The server may have closed it while it was idle.
            if (reading.tokens() > 0 || reading.created() > 0 || over) {
                throw stale;
            }
            return exchange(connect(), number, reading);
        }
    }

    private RawConnection connect() throws IOException {
        return new RawConnection(target.address(), Math.toIntExact(SILENCE_MAX.toMillis()));
    }

    private int exchange(RawConnection connection, long number, StreamReading reading) throws IOException {
        busy.add(connection);
        boolean reusable = false;
        try {
            int status = connection.send(target.request(MODEL, schedule.pace(), number));
            connection.body(RawConnection.isOk(status) ? reading::line : (_, _) -> {});
            reusable = connection.isReusable();
            return status;
        } finally {
            busy.remove(connection);
            if (reusable) {
                idle.addFirst(connection);
            } else {
                connection.close();
            }
        }
    }

    private void conclude(int status, StreamReading reading, long intended) {
        if (reading.created() > 0) {
            heard.created(reading.created() - intended);
        }
        if (reading.firstText() > 0) {
            heard.firstText(reading.firstText() - intended);
        }
        if (status == TOO_MANY_REQUESTS || status == UNAVAILABLE) {
            heard.refused();
        } else if (reading.ended()
                && !reading.broken()
                && reading.tokens() == schedule.pace().tokens()) {
            heard.completed();
        } else if (over) {
            heard.unfinished();
            if (reading.firstText() == 0) {
                heard.firstText(System.nanoTime() - intended); // it waited at least as long
            }
        } else {
            heard.failed();
        }
    }

    private void note(long start, Runnable count) {
        if (schedule.isMeasured(start)) {
            count.run();
        }
    }

    private static void sleepUntil(long nanos) {
        for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static void close(RawConnection connection) {
        try {
            connection.close();
        } catch (IOException already) {
            // It is gone.
        }
    }
}
