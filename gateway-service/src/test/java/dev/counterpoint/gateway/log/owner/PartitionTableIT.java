package dev.counterpoint.gateway.log.owner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.store.Sql;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Owners that contend for the same partitions, in a real database with the gateway's own schema.
class PartitionTableIT {
    private static final Duration LAPSE = Duration.ofSeconds(5);
    private static final String ANNA = "anna";
    private static final String BERT = "bert";

    private final Sql sql = new Sql(GatewaySchema.fresh());
    private final PartitionTable table = new PartitionTable(sql);

    @Test
    void whoComesFirstTakesAsManyAsItWantsFromTheirStart() {
        table.list(16);

        var claimed = claim(ANNA, 4);

        assertThat(claimed).hasSize(4);
        assertThat(claimed.keySet()).allMatch(partition -> partition >= 0 && partition < 16);
        assertThat(claimed.values()).containsOnly(0L);
    }

    @Test
    void partitionsThatAreAddedChangeNothingForThoseThatAreThere() {
        // Given
        table.list(2);
        claim(ANNA, 2);
        // When
        table.list(4);
        assertThat(table.list(3)).isEqualTo(4);
        // Then
        assertThat(beat(ANNA, Map.of(0, 5L, 1, 6L))).isEqualTo(new PartitionTable.Standing(Set.of(0, 1), 1, 4));
        assertThat(claim(BERT, 16)).containsOnlyKeys(2, 3);
    }

    @Test
    void afterARestartAnOwnerTakesUpItsOwnWhereItStood() {
        // Given
        table.list(16);
        var before = claim(ANNA, 4);
        beat(ANNA, offsets(before.keySet(), 100));
        // When
        var after = claim(ANNA, 4);
        // Then
        assertThat(after).isEqualTo(offsets(before.keySet(), 100));
    }

    @Test
    void whatIsHeldIsNotTaken() {
        // Given
        table.list(16);
        var annas = claim(ANNA, 10);
        // When
        var berts = claim(BERT, 10);
        // Then
        assertThat(berts).hasSize(6).doesNotContainKeys(annas.keySet().toArray(Integer[]::new));
    }

    @Test
    void whatOneHasAlreadyIsNotClaimedAgain() {
        // Given
        table.list(4);
        var some = claim(ANNA, 3);
        // When
        var rest = table.claim(ANNA, some.keySet(), 4, LAPSE);
        // Then
        assertThat(rest).hasSize(1).doesNotContainKeys(some.keySet().toArray(Integer[]::new));
    }

    @Test
    void whatLapsedIsTakenWhereItsOwnerStood() {
        // Given
        table.list(4);
        var annas = claim(ANNA, 4);
        beat(ANNA, offsets(annas.keySet(), 7));
        age(LAPSE.plusSeconds(1));
        // When
        var patient = table.claim(BERT, Set.of(), 4, Duration.ofDays(36_500));
        var berts = claim(BERT, 4);
        // Then
        assertThat(patient).isEmpty();
        assertThat(berts).isEqualTo(offsets(annas.keySet(), 7));
    }

    @Test
    void aBeatKeepsPartitions() {
        // Given
        table.list(4);
        var annas = claim(ANNA, 4);
        age(LAPSE.plusSeconds(1));
        // When
        var standing = beat(ANNA, annas);
        // Then
        assertThat(standing.kept()).isEqualTo(annas.keySet());
        assertThat(claim(BERT, 4)).isEmpty();
    }

    @Test
    void whoLostAPartitionIsToldAndMovesItByNothing() {
        // Given
        table.list(1);
        var annas = claim(ANNA, 1);
        age(LAPSE.plusSeconds(1));
        claim(BERT, 1);
        beat(BERT, Map.of(0, 50L));
        // When
        var standing = beat(ANNA, offsets(annas.keySet(), 10));
        table.release(ANNA, offsets(annas.keySet(), 10));
        // Then
        assertThat(standing.kept()).isEmpty();
        assertThat(claim(ANNA, 1)).isEmpty();
        assertThat(claim(BERT, 1)).containsExactly(Map.entry(0, 50L));
    }

    @Test
    void whatIsReleasedCanBeTakenAtOnce() {
        // Given
        table.list(4);
        var annas = claim(ANNA, 4);
        // When
        table.release(ANNA, offsets(annas.keySet(), 9));
        // Then
        assertThat(table.claim(BERT, Set.of(), 4, Duration.ofDays(36_500))).isEqualTo(offsets(annas.keySet(), 9));
    }

    @Test
    void whatIsReleasedComesBackToItsOwnerFirst() {
        // Given
        table.list(64);
        var before = claim(ANNA, 4);
        table.release(ANNA, before);
        // When
        var after = claim(ANNA, 4);
        // Then
        assertThat(after.keySet()).isEqualTo(before.keySet());
    }

    @Test
    void gatewaysThatLiveShareThePartitionsRoundedUp() {
        // Given
        table.list(16);
        var alone = beat(ANNA, Map.of());
        beat(BERT, Map.of());
        // When
        var three = beat("carl", Map.of());
        table.leave(BERT);
        var two = beat(ANNA, Map.of());
        ageGateways(LAPSE.plusSeconds(1));
        var oneAgain = beat(ANNA, Map.of());
        // Then
        assertThat(alone.share()).isEqualTo(16);
        assertThat(three.share()).isEqualTo(6);
        assertThat(two.share()).isEqualTo(8);
        assertThat(oneAgain.share()).isEqualTo(16);
    }

    @Test
    void ownersThatClaimAtOnceGetDisjointSets() throws Exception {
        // Given
        int rounds = 20;
        int owners = 4;
        table.list(16);
        for (int round = 0; round < rounds; round++) {
            age(LAPSE.plusSeconds(1));
            var prefix = "round-" + round + "-";
            // When
            var claims = claimAtOnce(owners, prefix);
            // Then
            var all = new HashSet<Integer>();
            claims.forEach(all::addAll);
            assertThat(claims.stream().mapToInt(Set::size).sum())
                    .as("no partition twice")
                    .isEqualTo(all.size());
            assertThat(claims).allMatch(claimed -> claimed.size() <= 4);
            all.addAll(claim(prefix + 0, 16).keySet());
            assertThat(all)
                    .as("what one had to pass over is there for the next claim")
                    .hasSize(16);
        }
    }

    private List<Set<Integer>> claimAtOnce(int owners, String prefix) throws Exception {
        var start = new CyclicBarrier(owners);
        var tasks = IntStream.range(0, owners)
                .<Callable<Set<Integer>>>mapToObj(owner -> () -> {
                    start.await();
                    return claim(prefix + owner, 4).keySet();
                })
                .toList();
        try (var threads = Executors.newFixedThreadPool(owners)) {
            var claims = new ArrayList<Set<Integer>>();
            for (var claim : threads.invokeAll(tasks)) {
                claims.add(claim.get());
            }
            return claims;
        }
    }

    private Map<Integer, Long> claim(String owner, int most) {
        return table.claim(owner, Set.of(), most, LAPSE);
    }

    private PartitionTable.Standing beat(String owner, Map<Integer, Long> offsets) {
        return table.beat(owner, offsets, LAPSE);
    }

    private static Map<Integer, Long> offsets(Set<Integer> partitions, long offset) {
        return partitions.stream().collect(Collectors.toMap(partition -> partition, _ -> offset));
    }

    /// Lets time pass without waiting for it.
    private void age(Duration by) {
        age("frame_partition", by);
    }

    private void ageGateways(Duration by) {
        age("gateway_replica", by);
    }

    private void age(String rows, Duration by) {
        sql.update("UPDATE " + rows + " SET heartbeat = heartbeat - make_interval(secs => ?)", (double) by.toSeconds());
    }
}
