package dev.counterpoint.audit.fleet;

import dev.counterpoint.audit.store.RowNumbers;
import dev.counterpoint.audit.store.RowNumbers.Gap;
import dev.counterpoint.audit.store.RowNumbers.Lane;
import dev.counterpoint.audit.store.RowNumbers.Table;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.smallrye.health.api.Wellness;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks once a minute for audit records and access entries that somebody has deleted, and tells health and
/// metrics how many there are and the lowest number that is missing; never what they held. The service stays live
/// and ready: its wellness is down until the rows are back. Thread-safe.
///
/// Each look is bounded: of each lane the newest numbers, and of the older ones the next block, in turns. So in a
/// table of `n` rows a gap is found within `n / 800,000` minutes, and one among the newest rows within a minute.
@Wellness
@ApplicationScoped
class MissingRows implements HealthCheck {
    private static final Logger LOG = LoggerFactory.getLogger(MissingRows.class);
    private static final long BLOCK = 100_000;

    private final RowNumbers numbers;
    private final List<Watched> tables =
            Arrays.stream(Table.values()).map(Watched::new).toList();
    private volatile String checkedAt = "not yet";

    MissingRows(RowNumbers numbers, MeterRegistry metrics) {
        this.numbers = numbers;
        for (var watched : tables) {
            Gauge.builder("counterpoint.audit.rows.missing", () -> watched.found.missing)
                    .description("Rows that somebody deleted behind the audit service's back.")
                    .tag("table", watched.table.wireName())
                    .register(metrics);
        }
    }

    /// What is missing of a table.
    ///
    /// @param lane of the first number
    /// @param first the lowest number that is missing there; 0 for none
    private record Found(long missing, int lane, long first) {}

    /// Some numbers of a lane.
    ///
    /// @param block from 0
    private record Block(int lane, long block) {}

    /// A table, with the gaps that are known of it.
    private static final class Watched {
        private final Table table;
        private final Map<Block, Gap> gaps =
                new TreeMap<>(Comparator.comparingInt(Block::lane).thenComparingLong(Block::block));
        private final Map<Integer, Long> turns = new HashMap<>();
        private volatile Found found = new Found(0, 0, 0);

        Watched(Table table) {
            this.table = table;
        }

        /// The older block of a lane that is due: downwards from the newest one, and again.
        long turn(Lane lane, long newest) {
            return turns.merge(lane.lane(), newest, (last, most) -> last == 0 ? most : last - 1);
        }

        void sum() {
            long missing = gaps.values().stream().mapToLong(Gap::missing).sum();
            var now = gaps.entrySet().stream()
                    .findFirst()
                    .map(gap -> new Found(
                            missing, gap.getKey().lane(), gap.getValue().first()))
                    .orElse(new Found(0, 0, 0));
            if (now.missing != found.missing) {
                LOG.warn(
                        "rows table={} missing={} lane={} first={}",
                        table.wireName(),
                        now.missing,
                        now.lane,
                        now.first);
            }
            found = now;
        }
    }

    @Scheduled(every = "60s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    @RunOnVirtualThread
    void look() {
        try {
            lookAtAll();
        } catch (RuntimeException e) {
            LOG.warn("missing rows not looked for cause={}", e.getClass().getSimpleName());
        }
    }

    private synchronized void lookAtAll() {
        for (var watched : tables) {
            for (var lane : numbers.lanes(watched.table)) {
                long newest = Math.max(0, lane.last() - 1) / BLOCK;
                // The block before the newest too: it may have become full since the last look.
                for (long block : new TreeSet<>(List.of(newest, Math.max(0, newest - 1), watched.turn(lane, newest)))) {
                    numbers.gap(lane, block * BLOCK, Math.min(lane.last(), (block + 1) * BLOCK))
                            .ifPresentOrElse(
                                    gap -> watched.gaps.put(new Block(lane.lane(), block), gap),
                                    () -> watched.gaps.remove(new Block(lane.lane(), block)));
                }
            }
            watched.sum();
        }
        checkedAt = Instant.now().toString();
    }

    @Override
    public HealthCheckResponse call() {
        var answer = HealthCheckResponse.named("missing rows").withData("checked at", checkedAt);
        boolean all = true;
        for (var watched : tables) {
            var found = watched.found;
            var table = watched.table.wireName();
            answer.withData(table + " missing", found.missing);
            if (found.missing > 0) {
                answer.withData(table + " first missing", found.lane + "/" + found.first);
                all = false;
            }
        }
        return answer.status(all).build();
    }
}
