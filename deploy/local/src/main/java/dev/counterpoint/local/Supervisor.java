package dev.counterpoint.local;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionException;

/// Runs the suite in tiers: what a tier needs is in those before it. Starts them in order, the parts of a tier
/// together, and stops them the other way round. Thread-safe.
final class Supervisor {
    private final List<List<SupervisedProcess>> tiers;
    private final ProcessRegistry ledger;
    private final PrintStream out;

    Supervisor(List<List<SuitePart>> tiers, ProcessRegistry ledger, PrintStream out) {
        this.tiers = tiers.stream()
                .map(tier -> tier.stream()
                        .map(part -> new SupervisedProcess(part, ledger, out))
                        .toList())
                .toList();
        this.ledger = ledger;
        this.out = out;
    }

    /// Returns when everything is ready.
    ///
    /// @throws IllegalStateException when a part is given up; the others still run then
    void start() {
        for (List<SupervisedProcess> tier : tiers) {
            var starting = new ArrayList<Runnable>();
            for (SupervisedProcess watched : tier) {
                var ready = watched.begin();
                starting.add(() -> report(watched.part(), ready.join()));
            }
            try {
                starting.forEach(Runnable::run);
            } catch (CompletionException failure) {
                Throwable cause = failure.getCause();
                throw new IllegalStateException(cause == null ? "failed" : cause.getMessage(), failure);
            }
        }
    }

    private void report(SuitePart part, Duration took) {
        out.printf(Locale.ROOT, "  %-14s %-28s %5.1f s%n", part.name(), part.address(), took.toMillis() / 1000.0);
    }

    /// Ends everything; returns when no process is left.
    void stop() {
        for (List<SupervisedProcess> tier : tiers.reversed()) {
            var threads = tier.stream()
                    .map(watched -> Thread.ofVirtual().start(watched::stop))
                    .toList();
            for (Thread thread : threads) {
                join(thread);
            }
        }
        ledger.clear();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
