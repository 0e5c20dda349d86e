package dev.counterpoint.local.faults;

import dev.counterpoint.local.faults.HeardAnswer.Outcome;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Callers that ask all the time and remember everything. Thread-safe.
final class FaultLoad {
    private static final long BETWEEN_MILLIS = 150;
    /// As `Retry-After` asks for, roughly.
    private static final long AFTER_REFUSAL_MILLIS = 500;

    private final Keys keys;
    private final List<URI> gateways;
    private final String model;
    private final Offers offers;
    private final AtomicInteger numbers = new AtomicInteger();
    private final Queue<HeardAnswer> heard = new ConcurrentLinkedQueue<>();
    private final List<Thread> callers = new ArrayList<>();
    private volatile boolean over;

    /// @param summary may see summaries
    /// @param raw may see raw reasoning
    record Keys(Http summary, Http raw) {
        Http of(AskedQuestion ask) {
            return ask.raw() ? raw : summary;
        }
    }

    FaultLoad(Keys keys, List<URI> gateways, String model, Offers offers) {
        this.keys = keys;
        this.gateways = gateways;
        this.model = model;
        this.offers = offers;
    }

    /// @param count of callers, each with one request at a time
    void start(int count, long seed) {
        for (int number = 0; number < count; number++) {
            var random = new Random(seed + number);
            callers.add(Thread.ofVirtual().name("caller-" + number).start(() -> callUntilOver(random)));
        }
    }

    /// No new requests; returns when those under way are answered.
    ///
    /// @throws IllegalStateException when one is not in time, which its own limits should have seen to
    Collection<HeardAnswer> stop(Duration limit) throws InterruptedException {
        over = true;
        long until = System.nanoTime() + limit.toNanos();
        for (var caller : callers) {
            if (!caller.join(Duration.ofNanos(Math.max(1, until - System.nanoTime())))) {
                throw new IllegalStateException("a caller still waits after " + limit);
            }
        }
        return List.copyOf(heard);
    }

    int answered() {
        return heard.size();
    }

    private void callUntilOver(Random random) {
        var caller = new FaultCaller(gateways, model, offers, random);
        try {
            while (!over) {
                var ask = AskedQuestion.draw(numbers.incrementAndGet(), random);
                var first = note(caller.call(ask, keys.of(ask), List.of()));
                var called = Transcript.called(first);
                if (!called.isEmpty()) {
                    var next = ask.next(numbers.incrementAndGet());
                    note(caller.call(next, keys.of(next), called));
                }
                boolean refused = first.outcome() == Outcome.REFUSED || first.outcome() == Outcome.UNREACHED;
                TimeUnit.MILLISECONDS.sleep(refused ? AFTER_REFUSAL_MILLIS : BETWEEN_MILLIS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private HeardAnswer note(HeardAnswer one) {
        heard.add(one);
        return one;
    }
}
