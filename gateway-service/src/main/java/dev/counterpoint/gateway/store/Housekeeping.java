package dev.counterpoint.gateway.store;

import dev.counterpoint.gateway.config.GatewayConfig;
import io.quarkus.arc.All;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs every [HousekeepingTask] once in an interval, on one gateway of all: whoever writes the task's row first leads
/// it this time. A gateway that dies in the middle leaves the rest to the next interval. A task that fails stops no
/// other.
@ApplicationScoped
class Housekeeping {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);

    /// Half an interval, because gateways do not all look at the same moment.
    private static final String CLAIM = """
            insert into housekeeping_run as last (task, started_at) values (?, now())
            on conflict (task) do update set started_at = excluded.started_at
                where last.started_at <= now() - make_interval(secs => ?) / 2""";

    private final List<HousekeepingTask> tasks;
    private final Sql sql;
    private final Duration interval;

    @Inject
    Housekeeping(@All List<HousekeepingTask> tasks, Sql sql, GatewayConfig config) {
        this(tasks, sql, config.housekeepingInterval());
    }

    Housekeeping(List<HousekeepingTask> tasks, Sql sql, Duration interval) {
        this.tasks = tasks;
        this.sql = sql;
        this.interval = interval;
    }

    @Scheduled(
            every = "${gateway.housekeeping-interval:10m}",
            delayed = "1m",
            concurrentExecution = Scheduled.ConcurrentExecution.SKIP,
            skipExecutionIf = Scheduled.ApplicationNotRunning.class)
    @RunOnVirtualThread
    void runAll() throws InterruptedException {
        for (var task : tasks) {
            try {
                if (sql.update(CLAIM, task.name(), (double) interval.toMillis() / 1_000) == 1) {
                    task.run();
                }
            } catch (RuntimeException e) {
                // The message may quote what a row held.
                LOG.warn(
                        "task={} housekeeping=failed error={}",
                        task.name(),
                        e.getClass().getName());
            }
        }
    }
}
