package dev.counterpoint.local;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Keeps one part running: starts it, notices its end, starts it again as [RestartPolicy] decides. Thread-safe.
final class SupervisedProcess {
    /// The worker's first start downloads libllama, on a slow line too.
    private static final Duration READY_MAX = Duration.ofMinutes(5);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    /// How long a part may take before the launcher prints what it reports.
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final SuitePart part;
    private final ProcessRegistry ledger;
    private final PrintStream out;
    private final RestartPolicy policy = new RestartPolicy();
    private final CompletableFuture<Duration> ready = new CompletableFuture<>();
    private final CompletableFuture<Void> stopping = new CompletableFuture<>();
    private volatile List<String> reported = List.of();

    /// Reports restarts and failures to `out`.
    SupervisedProcess(SuitePart part, ProcessRegistry ledger, PrintStream out) {
        this.part = part;
        this.ledger = ledger;
        this.out = out;
    }

    SuitePart part() {
        return part;
    }

    /// Starts it and goes on watching it in the background.
    ///
    /// @return done with the time it took when it can be used for the first time, or failed when it is
    /// given up
    CompletableFuture<Duration> begin() {
        Thread.ofVirtual().name("watch-" + part.name()).start(this::watch);
        return ready;
    }

    /// Ends it for good; returns when it is gone.
    void stop() {
        stopping.complete(null);
        synchronized (part) {
            part.stop();
        }
    }

    private void watch() {
        var verdict = RestartPolicy.Verdict.RESTART;
        while (verdict == RestartPolicy.Verdict.RESTART) {
            long begun = System.nanoTime();
            String end = runOnce(begun);
            if (stopping.isDone()) {
                return;
            }
            verdict = policy.ended(Duration.ofNanos(System.nanoTime() - begun));
            if (verdict == RestartPolicy.Verdict.RESTART) {
                out.println("  " + part.name() + " " + headline(end) + "; starting it again");
                pause();
            } else {
                giveUp(end);
            }
        }
    }

    /// Runs it to its end.
    ///
    /// @return how it ended
    private String runOnce(long begun) {
        try {
            ProcessHandle process;
            // Under the lock that stop() takes: nothing is started after the end of the suite began.
            synchronized (part) {
                if (stopping.isDone()) {
                    return "";
                }
                process = part.start();
                ledger.record(part.name(), process);
            }
            awaitReady();
            if (!ready.complete(Duration.ofNanos(System.nanoTime() - begun))) {
                out.println("  " + part.name() + " is ready again");
            }
            process.onExit().join();
            return "ended unexpectedly";
        } catch (RuntimeException failure) {
            // Whatever is left of it: it hangs, or it never came to listen. Whatever was thrown, a client's exception
            // among them: an uncaught one would end the watch, and the part would stay down.
            synchronized (part) {
                part.stop();
            }
            return String.valueOf(failure.getMessage());
        }
    }

    /// Prints, while it waits, what a part reports that does not become ready.
    private void awaitReady() {
        var report = Thread.ofVirtual().name("report-" + part.name()).start(() -> {
            try {
                while (true) {
                    Thread.sleep(PATIENCE);
                    report(part.misconfigurations());
                }
            } catch (InterruptedException ready) {
                // It is ready, or has ended.
            }
        });
        try {
            part.awaitReady(READY_MAX);
        } finally {
            report.interrupt();
        }
    }

    private void report(List<String> now) {
        now.stream()
                .filter(line -> !reported.contains(line))
                .forEach(line -> out.println("  " + part.name() + " is not ready: " + line));
        reported = now;
    }

    private void giveUp(String end) {
        String message = part.name() + " is given up after " + RestartPolicy.DEATHS_MAX + " attempts: "
                + String.join("; ", reported) + (reported.isEmpty() ? "" : "\n") + end + "\n  its log: " + part.log();
        if (!ready.completeExceptionally(new IllegalStateException(message))) {
            out.println("  " + message);
        }
    }

    private static String headline(String end) {
        return end.lines().findFirst().orElse("ended");
    }

    private void pause() {
        try {
            stopping.get(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException goOn) {
            // As intended.
        } catch (InterruptedException | ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
