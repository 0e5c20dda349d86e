package dev.counterpoint.gateway.log.owner;

import dev.counterpoint.gateway.store.Sql;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/// The owners of the partitions of `frames`, and the gateways: rows in PostgreSQL with heartbeats, by its
/// clock alone. Ownership keeps work from being done twice; correctness does not need it, so a lapse that both sides
/// see differently is harmless.
@ApplicationScoped
class PartitionTable {
    private static final String LIST = """
        INSERT INTO frame_partition (partition) SELECT generate_series(0, ? - 1)
        ON CONFLICT (partition) DO NOTHING\
        """;
    private static final String KNOWN = "SELECT count(*) FROM frame_partition";
    private static final String PRESENT = """
        INSERT INTO gateway_replica (id, heartbeat) VALUES (?, now())
        ON CONFLICT (id) DO UPDATE SET heartbeat = excluded.heartbeat\
        """;
    private static final String ABSENT = "DELETE FROM gateway_replica WHERE id = ?";
    private static final String FORGET = "DELETE FROM gateway_replica WHERE heartbeat < now() - interval '1 day'";
    private static final String BEAT = """
        UPDATE frame_partition AS held SET heartbeat = now(), resume_offset = own.resume
        FROM unnest(?, ?) AS own (partition, resume)
        WHERE held.partition = own.partition AND held.owner = ?
        RETURNING held.partition\
        """;
    private static final String STANDING = """
        SELECT (SELECT count(*) FROM gateway_replica WHERE heartbeat > now() - make_interval(secs => ?)), count(*)
        FROM frame_partition\
        """;
    /// Rows that somebody else is just claiming are passed over, so that gateways do not wait for one another.
    private static final String CLAIM = """
        WITH free AS MATERIALIZED (
            SELECT partition FROM frame_partition
            WHERE partition <> ALL (?)
                AND (owner IS NULL OR owner = ? OR heartbeat < now() - make_interval(secs => ?))
            ORDER BY (owner = ?) DESC NULLS LAST, random()
            LIMIT ? FOR UPDATE SKIP LOCKED)
        UPDATE frame_partition AS held SET owner = ?, heartbeat = now()
        FROM free WHERE held.partition = free.partition
        RETURNING held.partition, held.resume_offset\
        """;
    private static final String RELEASE = """
        UPDATE frame_partition AS held SET heartbeat = '-infinity', resume_offset = own.resume
        FROM unnest(?, ?) AS own (partition, resume)
        WHERE held.partition = own.partition AND held.owner = ?\
        """;

    private final Sql sql;

    PartitionTable(Sql sql) {
        this.sql = sql;
    }

    /// The numbers of partitions and gateways.
    ///
    /// @param kept which of its partitions the asking gateway still owns
    /// @param gateways that live, the asking one included
    /// @param partitions that there are
    record Standing(Set<Integer> kept, int gateways, int partitions) {
        /// The most partitions that a gateway owns while all live: shares of this size are enough for all partitions.
        int share() {
            return Math.ceilDiv(partitions, gateways);
        }
    }

    /// Makes so many partitions known; those that are there stay as they are.
    ///
    /// @return how many are known: a database that outlived its bus knows more than a new bus has
    int list(int partitions) {
        sql.update(LIST, partitions);
        sql.update(FORGET);
        return Math.toIntExact(sql.first(Long.class, KNOWN).orElseThrow());
    }

    private record Counts(long gateways, long partitions) {}

    /// Says that we live, and from where a successor would have to read each partition that we think is ours.
    Standing beat(String owner, Map<Integer, Long> resumeOffsets, Duration lapse) {
        sql.update(PRESENT, owner);
        var kept = sql.list(Integer.class, BEAT, partitions(resumeOffsets), offsets(resumeOffsets), owner);
        var counts = sql.first(Counts.class, STANDING, seconds(lapse)).orElseThrow();
        return new Standing(Set.copyOf(kept), (int) Math.max(1, counts.gateways), (int) counts.partitions);
    }

    private record Claimed(int partition, long resumeOffset) {}

    /// Claims partitions that were ours before, are nobody's, or whose owner lapsed.
    ///
    /// @param but those that we have already
    /// @param most how many
    /// @param lapse how old the heartbeat of an owner must be
    /// @return for each claimed one the offset to read from
    Map<Integer, Long> claim(String owner, Collection<Integer> but, int most, Duration lapse) {
        var ours = but.stream().mapToInt(Integer::intValue).toArray();
        return sql.list(Claimed.class, CLAIM, ours, owner, seconds(lapse), owner, most, owner).stream()
                .collect(Collectors.toMap(Claimed::partition, Claimed::resumeOffset));
    }

    /// Gives partitions back, so that nobody has to wait for a lapse.
    void release(String owner, Map<Integer, Long> resumeOffsets) {
        sql.update(RELEASE, partitions(resumeOffsets), offsets(resumeOffsets), owner);
    }

    /// Says that we are leaving, so that our share goes to the others.
    void leave(String owner) {
        sql.update(ABSENT, owner);
    }

    private static int[] partitions(Map<Integer, Long> resumeOffsets) {
        return resumeOffsets.keySet().stream()
                .mapToInt(Integer::intValue)
                .sorted()
                .toArray();
    }

    /// In the order of [#partitions].
    private static long[] offsets(Map<Integer, Long> resumeOffsets) {
        return Arrays.stream(partitions(resumeOffsets))
                .mapToLong(partition -> Objects.requireNonNull(resumeOffsets.get(partition)))
                .toArray();
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }
}
