package dev.counterpoint.gateway.log.owner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.store.Sql;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Many gateways that share partitions in a real database, of which some die at once. Each build has a few; the
/// whole, at a gateway's own pace: `-Dit.test=AdoptionStormIT -Dscale.gateways=50 -Dscale.beat-millis=500`.
class AdoptionStormIT {
    private static final int GATEWAYS = Integer.getInteger("scale.gateways", 8);
    private static final long BEAT_MILLIS = Long.getLong("scale.beat-millis", 100);
    /// As many beats as between the usual settings.
    private static final Duration LAPSE = Duration.ofMillis(10 * BEAT_MILLIS);

    private static final int PARTITIONS_EACH = 16;
    private static final int CLAIMS_MAX = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final Duration WATCHED = Duration.ofMillis(20 * BEAT_MILLIS);

    private final DataSource database = GatewaySchema.fresh();
    private final Sql sql = new Sql(keeping(database));
    private final List<Owner> owners = new ArrayList<>();
    private final ConcurrentLinkedQueue<Long> tickNanos = new ConcurrentLinkedQueue<>();
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(GATEWAYS);

    @AfterEach
    void stop() {
        timer.shutdownNow();
    }

    @Test
    void whatTheDeadOwnedIsOwnedAgainByThoseWhoLiveEachPartitionOnce() throws Exception {
        // Given
        new PartitionTable(sql).list(GATEWAYS * PARTITIONS_EACH);
        for (int number = 0; number < GATEWAYS; number++) {
            owners.add(new Owner("gateway-" + number, new PartitionTable(new Sql(keeping(database)))));
        }
        var dying = owners.subList(0, GATEWAYS / 4);
        // When
        long begun = System.nanoTime();
        owners.forEach(Owner::start);
        await(() -> owners.stream().allMatch(owner -> owner.ours.size() == PARTITIONS_EACH));
        double all = seconds(begun);
        tickNanos.clear();
        long transactions = transactions();
        TimeUnit.NANOSECONDS.sleep(WATCHED.toNanos());
        double perSecond = (transactions() - transactions) / (WATCHED.toMillis() / 1e3);
        var calm = milliseconds();
        dying.forEach(owner -> owner.lives = false);
        begun = System.nanoTime();
        var living = owners.subList(dying.size(), GATEWAYS);
        await(() -> owned(living).size() == GATEWAYS * PARTITIONS_EACH);
        double again = seconds(begun);
        // Then
        System.out.printf(
                Locale.ROOT,
                "%d gateways, %d partitions, a beat each %d ms: all owned after %.1f s; then %.0f transactions/s,"
                        + " a tick %s; %d died: all owned again after %.1f s, a tick %s%n",
                GATEWAYS,
                GATEWAYS * PARTITIONS_EACH,
                BEAT_MILLIS,
                all,
                perSecond,
                calm,
                dying.size(),
                again,
                milliseconds());
        assertThat(owned(living)).doesNotHaveDuplicates();
        int share = Math.ceilDiv(GATEWAYS * PARTITIONS_EACH, living.size());
        assertThat(living).allMatch(owner -> owner.ours.size() <= share);
    }

    private static List<Integer> owned(List<Owner> some) {
        return some.stream().flatMap(owner -> owner.ours.keySet().stream()).toList();
    }

    private static double seconds(long sinceNanos) {
        return (System.nanoTime() - sinceNanos) / 1e9;
    }

    private static void await(BooleanSupplier condition) {
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(giveUp);
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    private long transactions() {
        return sql.first(Long.class, "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()")
                .orElseThrow();
    }

    /// Since the last question.
    private String milliseconds() {
        var sorted = tickNanos.stream().mapToLong(Long::longValue).sorted().toArray();
        tickNanos.clear();
        return String.format(
                Locale.ROOT,
                "p50 %.1f ms, p99 %.1f ms",
                sorted[sorted.length / 2] / 1e6,
                sorted[sorted.length * 99 / 100] / 1e6);
    }

    /// What [PartitionOwnership] asks of the table at each beat, without a bus.
    private final class Owner {
        private final String id;
        private final PartitionTable table;
        private volatile Map<Integer, Long> ours = Map.of();
        private volatile boolean lives = true;

        Owner(String id, PartitionTable table) {
            this.id = id;
            this.table = table;
        }

        void start() {
            timer.scheduleWithFixedDelay(this::tick, 0, BEAT_MILLIS, TimeUnit.MILLISECONDS);
        }

        private void tick() {
            if (!lives) {
                return;
            }
            long begun = System.nanoTime();
            var standing = table.beat(id, ours, LAPSE);
            var held = new HashMap<>(ours);
            held.keySet().retainAll(standing.kept());
            var surplus =
                    held.keySet().stream().skip(standing.share()).collect(Collectors.toMap(number -> number, _ -> 0L));
            if (!surplus.isEmpty()) {
                table.release(id, surplus);
                held.keySet().removeAll(surplus.keySet());
            }
            int lacking = Math.min(standing.share() - held.size(), CLAIMS_MAX);
            if (lacking > 0) {
                held.putAll(table.claim(id, held.keySet(), lacking, LAPSE));
            }
            ours = Map.copyOf(held);
            tickNanos.add(System.nanoTime() - begun);
        }
    }

    /// One connection for all, as of a pool.
    private static DataSource keeping(DataSource database) {
        try {
            var connection = database.getConnection();
            var loader = AdoptionStormIT.class.getClassLoader();
            var kept = Proxy.newProxyInstance(loader, new Class<?>[] {Connection.class}, (_, method, arguments) -> {
                try {
                    return method.getName().equals("close") ? null : method.invoke(connection, arguments);
                } catch (InvocationTargetException failure) {
                    throw failure.getTargetException();
                }
            });
            return (DataSource) Proxy.newProxyInstance(loader, new Class<?>[] {DataSource.class}, (_, _, _) -> kept);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
