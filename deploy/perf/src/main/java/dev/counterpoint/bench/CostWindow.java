package dev.counterpoint.bench;

import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.function.Supplier;

/// What the measured time of one cell costs: the target's processes, the load generator and the upstream, apart.
final class CostWindow implements LoadRun.Window {
    private final Supplier<Map<String, ProcessUse>> target;
    private final Supplier<Map<String, ThreadUse>> threads;
    private final ProcessHandle upstream;
    private volatile Map<String, ProcessUse> targetUse = Map.of();
    private volatile Map<String, ThreadUse> threadUse = Map.of();
    private volatile ProcessUse generatorUse = new ProcessUse(0, 0);
    private volatile ProcessUse upstreamUse = new ProcessUse(0, 0);
    private volatile double loadAverage;

    CostWindow(
            Supplier<Map<String, ProcessUse>> target,
            Supplier<Map<String, ThreadUse>> threads,
            ProcessHandle upstream) {
        this.target = target;
        this.threads = threads;
        this.upstream = upstream;
    }

    @Override
    public void begins() {
        targetUse = target.get();
        threadUse = threads.get();
        generatorUse = ProcessUse.of(ProcessHandle.current());
        upstreamUse = ProcessUse.of(upstream);
    }

    @Override
    public void ends() {
        targetUse = Bench.since(targetUse, target.get(), ProcessUse::since);
        threadUse = Bench.since(threadUse, threads.get(), ThreadUse::since);
        generatorUse = ProcessUse.of(ProcessHandle.current()).since(generatorUse);
        upstreamUse = ProcessUse.of(upstream).since(upstreamUse);
        loadAverage = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    BenchCell cell(String name, ArrivalSchedule schedule, HeardLoad heard) {
        var times = new BenchCell.Times(heard.firstTexts(), heard.createds(), heard.transits());
        return new BenchCell(
                name,
                new BenchCell.Load(
                        schedule.label(),
                        schedule.streams(),
                        schedule.pace().tokens(),
                        schedule.offered(),
                        schedule.seconds()),
                times,
                heard.tokens(),
                heard.endings(),
                new BenchCell.Cost(targetUse, threadUse, generatorUse, upstreamUse),
                loadAverage);
    }
}
