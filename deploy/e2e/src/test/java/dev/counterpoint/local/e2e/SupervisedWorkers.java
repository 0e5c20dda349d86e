package dev.counterpoint.local.e2e;

import dev.counterpoint.local.e2e.RunningSuite.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Two workers, each started again when it dies, as a supervisor would.
final class SupervisedWorkers implements AutoCloseable {
    private final RunningSuite suite;
    private final Map<String, String> settings;
    private final AtomicInteger deaths = new AtomicInteger();
    private final ScheduledExecutorService supervisor = Executors.newSingleThreadScheduledExecutor();
    private final List<Service> first;

    /// @param settings of each worker
    SupervisedWorkers(RunningSuite suite, Map<String, String> settings) {
        this.suite = suite;
        this.settings = settings;
        first = List.of(supervised(), supervised());
    }

    private Service supervised() {
        var now = new ArrayList<>(List.of(suite.startWorker(settings)));
        supervisor.scheduleWithFixedDelay(
                () -> {
                    if (!now.getLast().process().isAlive()) {
                        deaths.incrementAndGet();
                        now.add(suite.startWorker(settings));
                    }
                },
                100,
                100,
                TimeUnit.MILLISECONDS);
        return now.getFirst();
    }

    void ready() {
        first.forEach(Service::ready);
    }

    int deaths() {
        return deaths.get();
    }

    /// No more is started again.
    @Override
    public void close() {
        supervisor.close();
    }
}
