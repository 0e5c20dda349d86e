package dev.counterpoint.gateway.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.testkit.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/// Owners that contend for the same partitions, in a real database with the gateway's own schema.
class PartitionTableIT {
    private static final Duration LAPSE = Duration.ofSeconds(5);
    private static final String ANNA = "anna";
    private static final String BERT = "bert";

    private PGSimpleDataSource database = new PGSimpleDataSource();
    private PartitionTable table = new PartitionTable(database);

    @BeforeEach
    void createSchema() throws IOException, SQLException {
        var fresh = TestPostgres.shared().newDatabase("partitions");
        database = new PGSimpleDataSource();
        database.setUrl(fresh.jdbcUrl());
        database.setUser(fresh.user());
        database.setPassword(fresh.password());
        migrate();
        table = new PartitionTable(database);
    }

    /// Flyway learns PostgreSQL from a module that only Quarkus brings in, so the files are run as they are.
    private void migrate() throws IOException, SQLException {
        try (var files = Files.list(Path.of("src/main/resources/db/migration"));
                var connection = database.getConnection();
                var statement = connection.createStatement()) {
            for (var file : files.sorted().toList()) {
                statement.execute(Files.readString(file));
            }
        }
    }

    @Test
    void whoComesFirstTakesAsManyAsItWantsFromTheirStart() throws SQLException {
        var claimed = table.claim(ANNA, 16, 4, LAPSE);

        assertThat(claimed).hasSize(4);
        assertThat(claimed.keySet()).allMatch(partition -> partition >= 0 && partition < 16);
        assertThat(claimed.values()).containsOnly(0L);
    }

    @Test
    void afterARestartAnOwnerTakesUpItsOwnWhereItStood() throws SQLException {
        // Given
        var before = table.claim(ANNA, 16, 4, LAPSE);
        table.beat(ANNA, offsets(before.keySet(), 100));
        // When
        var after = table.claim(ANNA, 16, 4, LAPSE);
        // Then
        assertThat(after).isEqualTo(offsets(before.keySet(), 100));
    }

    @Test
    void whatIsHeldIsNotTaken() throws SQLException {
        // Given
        var annas = table.claim(ANNA, 16, 10, LAPSE);
        // When
        var berts = table.claim(BERT, 16, 10, LAPSE);
        // Then
        assertThat(berts).hasSize(6).doesNotContainKeys(annas.keySet().toArray(Integer[]::new));
    }

    @Test
    void whatLapsedIsTakenWhereItsOwnerStood() throws SQLException {
        // Given
        var annas = table.claim(ANNA, 4, 4, LAPSE);
        table.beat(ANNA, offsets(annas.keySet(), 7));
        age(LAPSE.plusSeconds(1));
        // When
        var berts = table.claim(BERT, 4, 4, LAPSE);
        // Then
        assertThat(berts).isEqualTo(offsets(annas.keySet(), 7));
    }

    @Test
    void aBeatKeepsPartitions() throws SQLException {
        // Given
        var annas = table.claim(ANNA, 4, 4, LAPSE);
        age(LAPSE.plusSeconds(1));
        // When
        table.beat(ANNA, annas);
        // Then
        assertThat(table.claim(BERT, 4, 4, LAPSE)).isEmpty();
    }

    @Test
    void whoLostAPartitionNeitherKeepsItNorMovesItByABeat() throws SQLException {
        // Given
        var annas = table.claim(ANNA, 1, 1, LAPSE);
        age(LAPSE.plusSeconds(1));
        table.claim(BERT, 1, 1, LAPSE);
        table.beat(BERT, Map.of(0, 50L));
        // When
        table.beat(ANNA, offsets(annas.keySet(), 10));
        table.release(ANNA, offsets(annas.keySet(), 10));
        // Then
        assertThat(table.claim(ANNA, 1, 1, LAPSE)).isEmpty();
        assertThat(table.claim(BERT, 1, 1, LAPSE)).containsExactly(Map.entry(0, 50L));
    }

    @Test
    void whatIsReleasedCanBeTakenAtOnce() throws SQLException {
        // Given
        var annas = table.claim(ANNA, 4, 4, LAPSE);
        // When
        table.release(ANNA, offsets(annas.keySet(), 9));
        // Then
        assertThat(table.claim(BERT, 4, 4, LAPSE)).isEqualTo(offsets(annas.keySet(), 9));
    }

    @Test
    void whatIsReleasedComesBackToItsOwnerFirst() throws SQLException {
        // Given
        var before = table.claim(ANNA, 64, 4, LAPSE);
        table.release(ANNA, before);
        // When
        var after = table.claim(ANNA, 64, 4, LAPSE);
        // Then
        assertThat(after.keySet()).isEqualTo(before.keySet());
    }

    @Test
    void ownersThatClaimAtOnceGetDisjointSets() throws Exception {
        // Given
        int rounds = 20;
        int owners = 4;
        for (int round = 0; round < rounds; round++) {
            age(LAPSE.plusSeconds(1));
            // When
            var claims = claimAtOnce(owners, "round-" + round + "-");
            // Then
            var all = new HashSet<Integer>();
            claims.forEach(all::addAll);
            assertThat(claims.stream().mapToInt(Set::size).sum())
                    .as("no partition twice")
                    .isEqualTo(all.size());
            assertThat(all).as("none is left").hasSize(16);
        }
    }

    private List<Set<Integer>> claimAtOnce(int owners, String prefix) throws Exception {
        var start = new CyclicBarrier(owners);
        var tasks = IntStream.range(0, owners)
                .<Callable<Set<Integer>>>mapToObj(owner -> () -> {
                    start.await();
                    return table.claim(prefix + owner, 16, 8, LAPSE).keySet();
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

    private static Map<Integer, Long> offsets(Set<Integer> partitions, long offset) {
        return partitions.stream().collect(Collectors.toMap(partition -> partition, _ -> offset));
    }

    /// Lets time pass without waiting for it.
    private void age(Duration by) throws SQLException {
        try (var connection = database.getConnection();
                var statement = connection.prepareStatement(
                        "UPDATE frame_partition SET heartbeat = heartbeat - make_interval(secs => ?)")) {
            statement.setDouble(1, by.toSeconds());
            statement.executeUpdate();
        }
    }
}
