package dev.counterpoint.local.faults;

import dev.counterpoint.infra.Signals;
import dev.counterpoint.local.LaunchedSuite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Does to the suite what a schedule says, and undoes it. For one thread.
final class Injector {
    private final LaunchedSuite suite;
    private final FaultProxies proxies;
    private final Consumer<String> diary;
    private final Map<String, Integer> done = new TreeMap<>();
    private int missed;

    /// @param diary hears of every fault as it comes
    Injector(LaunchedSuite suite, FaultProxies proxies, Consumer<String> diary) {
        this.suite = suite;
        this.proxies = proxies;
        this.diary = diary;
    }

    /// Returns when the last fault is over.
    void run(List<Fault> schedule) throws InterruptedException {
        long start = System.nanoTime();
        var ends = new ArrayList<Thread>();
        for (var fault : schedule) {
            sleepUntil(start, fault.at());
            var undo = begin(fault);
            ends.add(Thread.ofVirtual().start(() -> {
                sleepQuietlyUntil(start, fault.end());
                undo.run();
            }));
        }
        for (var end : ends) {
            end.join();
        }
        proxies.heal();
    }

    private static void sleepUntil(long start, Duration at) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(start + at.toNanos() - System.nanoTime());
    }

    private static void sleepQuietlyUntil(long start, Duration at) {
        try {
            sleepUntil(start, at);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// How many faults of each kind struck each role.
    Map<String, Integer> done() {
        return done;
    }

    /// Faults that found their process away.
    int missed() {
        return missed;
    }

    /// @return what ends it
    private Runnable begin(Fault fault) {
        var target = fault.target();
        var processes = family(target);
        if (processes.isEmpty()) {
            missed++;
            diary.accept(fault + "  missed: it does not run");
            return () -> {};
        }
        diary.accept(fault.toString());
        done.merge(fault.kind().word() + " " + role(target), 1, Integer::sum);
        return switch (fault.kind()) {
            case KILL -> {
                processes.forEach(ProcessHandle::destroyForcibly);
                yield () -> {};
            }
            case STOP -> {
                // PostgreSQL would wait for its clients to leave on SIGTERM.
                signal(target.equals(Cast.DATABASE) ? "INT" : "TERM", processes.subList(0, 1));
                yield () -> {};
            }
            case FREEZE, HANG_DATABASE -> {
                // PostgreSQL starts no process once its first one stands still.
                signal("STOP", processes.subList(0, 1));
                var frozen = family(target);
                signal("STOP", frozen);
                yield () -> signal("CONT", frozen);
            }
            case CUT_BROKER -> {
                proxies.toBroker(target).forEach(FaultProxy::cut);
                yield () -> proxies.toBroker(target).forEach(FaultProxy::heal);
            }
            case STALL_BROKER -> {
                proxies.toBroker(target).forEach(FaultProxy::stall);
                yield () -> proxies.toBroker(target).forEach(FaultProxy::heal);
            }
            case CUT_DATABASE -> {
                proxies.toDatabase(target).cut();
                yield proxies.toDatabase(target)::heal;
            }
            case STALL_DATABASE -> {
                proxies.toDatabase(target).stall();
                yield proxies.toDatabase(target)::heal;
            }
        };
    }

    /// The process and those it started: PostgreSQL has one for each connection.
    private List<ProcessHandle> family(String target) {
        return suite.running(target).stream()
                .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
                .toList();
    }

    private static void signal(String name, List<ProcessHandle> processes) {
        processes.stream().filter(ProcessHandle::isAlive).forEach(process -> Signals.tell(name, process.pid()));
    }

    private static String role(String target) {
        return target.replaceFirst("-\\d$", "");
    }
}
