package dev.counterpoint.gateway.log.owner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.kafka.Topics;
import dev.counterpoint.gateway.GatewayWithBus;
import dev.counterpoint.gateway.store.Sql;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.enterprise.inject.Vetoed;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// An owner whose database stalls for everybody: until it answers again, no gateway can say that it lives.
@QuarkusTest
@WithTestResource(GatewayWithBus.class)
class StalledOwnerIT extends OwnersOnBus {
    private static final String OTHER = "other";
    private static final int CLAIMS_MAX = 8;
    /// More than half a lapse.
    private static final Duration STALL = Duration.ofSeconds(3);

    private final Sql ownSql = new Sql(GatewaySchema.fresh());
    private final WatchedTable table = new WatchedTable(ownSql);

    @ConfigProperty(name = "gateway.stream.partitions")
    int partitions;

    @Test
    @DisplayName("f1: a heartbeat that hung and succeeded is an absence")
    void afterAStallNobodyTakesThePartitionsOfThoseThatComeBackALittleLater() throws Exception {
        // Given
        try (var admin = clients.admin()) {
            new Topics(admin).ensureShared(2 * partitions);
        }
        table.list(2 * partitions);
        var others =
                table.claim(OTHER, Set.of(), partitions, Duration.ofSeconds(5)).keySet();
        table.beat(OTHER, Map.of(), Duration.ofSeconds(5));
        otherWasHeard("now() + interval '1 hour'");
        try (var second = new SecondGateway("gateway-stalled", table, keys, turns())) {
            await("it has its half", () -> second.owned().size() >= partitions);
            // When
            table.stalls = true;
            await("the stall is over", () -> !table.stalls);
            int beats = table.beats.get();
            await("it goes on", () -> table.beats.get() >= beats + 3);
            // Then
            assertThat(second.owned()).doesNotContainAnyElementsOf(others);
        }
    }

    @Test
    @DisplayName("f1: claims of one tick are capped")
    void claimsAFewPartitionsInOneTick() throws Exception {
        // Given
        table.list(3 * CLAIMS_MAX);
        table.grants = false;
        // When
        try (var _ = new SecondGateway("gateway-modest", table, keys, turns())) {
            await("it asks", () -> table.wanted.size() >= 2);
        }
        // Then
        assertThat(table.wanted).allMatch(most -> most <= CLAIMS_MAX);
    }

    private void otherWasHeard(String when) {
        ownSql.update("UPDATE frame_partition SET heartbeat = " + when + " WHERE owner = ?", OTHER);
        ownSql.update("UPDATE gateway_replica SET heartbeat = " + when + " WHERE id = ?", OTHER);
    }

    /// Hangs in a heartbeat when told to, as long as nobody else can write either.
    @Vetoed
    private final class WatchedTable extends PartitionTable {
        private final List<Integer> wanted = new CopyOnWriteArrayList<>();
        private volatile boolean stalls;
        private volatile boolean grants = true;
        private final AtomicInteger beats = new AtomicInteger();

        WatchedTable(Sql sql) {
            super(sql);
        }

        @Override
        public Standing beat(String owner, Map<Integer, Long> resumeOffsets, Duration lapse) {
            if (stalls) {
                LockSupport.parkNanos(STALL.toNanos());
                otherWasHeard("now() - interval '1 minute'");
            }
            var standing = super.beat(owner, resumeOffsets, lapse);
            stalls = false;
            beats.incrementAndGet();
            return standing;
        }

        @Override
        public Map<Integer, Long> claim(String owner, Collection<Integer> but, int most, Duration lapse) {
            wanted.add(most);
            return grants ? super.claim(owner, but, most, lapse) : Map.of();
        }
    }
}
