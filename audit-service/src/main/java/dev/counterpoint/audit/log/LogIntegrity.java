package dev.counterpoint.audit.log;

import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.tlog.Checkpoint;
import dev.counterpoint.tlog.InvalidLogException;
import dev.counterpoint.tlog.MerkleHash;
import dev.counterpoint.tlog.MerkleTree;
import dev.counterpoint.tlog.TileId;
import dev.counterpoint.tlog.TileLogWriter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.All;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.smallrye.health.api.Wellness;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Compares the log with its rows once a minute, and reports kind and index of the first difference to health and
/// metrics, never content. The service stays live and ready. Thread-safe.
///
/// Each look is bounded: the newest leaves, and the next block of the older ones in turns. So in a log of `n` leaves
/// a difference is found within `n / 8,000` minutes, and one among the newest leaves within a minute.
@Wellness
@ApplicationScoped
class LogIntegrity implements HealthCheck {
    private static final Logger LOG = LoggerFactory.getLogger(LogIntegrity.class);
    private static final long BLOCK = 32L * TileId.WIDTH;

    private final LogTables tables;
    private final List<LoggedTable> logged;
    private final List<OldRows> old;
    private final RowMarks marks;
    private final LogSigner signer;
    private final LogPublisher publisher;
    private final EventStore events;
    private final TransactionRole role;
    private long turn;
    private long size;
    private volatile String checkedAt = "not yet";
    private volatile @Nullable Fault fault;

    LogIntegrity(
            LogTables tables,
            @All List<LoggedTable> logged,
            @All List<OldRows> old,
            RowMarks marks,
            LogSigner signer,
            LogPublisher publisher,
            EventStore events,
            TransactionRole role,
            MeterRegistry metrics) {
        this.tables = tables;
        this.logged = logged;
        this.old = old;
        this.marks = marks;
        this.signer = signer;
        this.publisher = publisher;
        this.events = events;
        this.role = role;
        Gauge.builder("counterpoint.audit.log.fault", () -> fault == null ? 0 : 1)
                .description("1 while the audit log differs from its rows, or was changed.")
                .register(metrics);
    }

    /// The first thing that is wrong.
    ///
    /// @param kind missing, altered, forged, rolled_back or forked
    /// @param index of the leaf, or the size of the log where no leaf is meant
    private record Fault(String kind, long index) {}

    @Scheduled(every = "60s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    @RunOnVirtualThread
    void look() {
        try {
            var found = found().orElse(null);
            if (found != null && !found.equals(fault)) {
                LOG.error("the audit log was changed kind={} index={}", found.kind, found.index);
            }
            fault = found;
            checkedAt = Instant.now().toString();
        } catch (RuntimeException e) {
            LOG.warn("the log is not checked cause={}", e.getClass().getSimpleName());
        }
    }

    private synchronized Optional<Fault> found() {
        var fault = inTransaction(this::headFault);
        if (fault.isPresent()) {
            return fault;
        }
        long newest = Math.max(0, size - 1) / BLOCK;
        turn = turn < newest ? turn + 1 : 0;
        return Stream.of(Math.max(0, newest - 1), newest, turn)
                .distinct()
                .sorted()
                .flatMap(block ->
                        inTransaction(() -> check(block * BLOCK, Math.min(size, (block + 1) * BLOCK))).stream())
                .findFirst();
    }

    private Optional<Fault> inTransaction(Supplier<Optional<Fault>> check) {
        return QuarkusTransaction.requiringNew().call(() -> {
            role.staff(TransactionRole.EVERY_TENANT);
            try {
                return check.get();
            } catch (InvalidLogException e) {
                return Optional.of(new Fault("altered", size));
            }
        });
    }

    private Optional<Fault> headFault() {
        var head = tables.checkpoint()
                .map(signer::verified)
                .orElse(new Checkpoint(signer.origin(), 0, MerkleHash.EMPTY_TREE));
        size = new TileLogWriter(head, tables).checkpoint().size();
        var unpublished = publisher.fault();
        if (unpublished.isPresent()) {
            return Optional.of(new Fault(unpublished.get().kind(), size));
        }
        boolean forged = logged.stream().anyMatch(table -> tables.foreign(table) > 0)
                || (!tables.takesOldRows() && old.stream().anyMatch(rows -> rows.waiting() > 0));
        return forged ? Optional.of(new Fault("forged", size)) : Optional.empty();
    }

    private Optional<Fault> check(long from, long to) {
        var leaves = tables.leaves(from, to);
        if (leaves.size() < to - from) {
            return Optional.of(new Fault("missing", from));
        }
        var rows = new HashMap<Long, LoggedRow>();
        for (var row : logged.stream()
                .flatMap(table -> table.between(from, to).stream())
                .toList()) {
            if (rows.put(row.index(), row) != null) {
                return Optional.of(new Fault("forged", Objects.requireNonNull(row.index())));
            }
        }
        Map<Long, Long> lost = rows.size() < leaves.size() ? events.lost() : Map.of();
        for (int i = 0; i < leaves.size(); i++) {
            long index = from + i;
            var row = rows.get(index);
            if (row == null) {
                if (lost.entrySet().stream().noneMatch(it -> it.getKey() <= index && index < it.getValue())) {
                    return Optional.of(new Fault("missing", index));
                }
            } else if (!marks.unaltered(row, leaves.get(i))) {
                return Optional.of(new Fault("altered", index));
            }
        }
        var covers = events.covered(rows.values().stream()
                .map(LoggedRow::removedBy)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet()));
        var uncovered = rows.values().stream()
                .filter(row -> row.removedBy() != null && !covers.contains(row.index()))
                .mapToLong(row -> Objects.requireNonNull(row.index()))
                .min();
        if (uncovered.isPresent()) {
            return Optional.of(new Fault("missing", uncovered.getAsLong()));
        }
        for (int i = 0; i + TileId.WIDTH <= leaves.size(); i += TileId.WIDTH) {
            var hashes = leaves.subList(i, i + TileId.WIDTH).stream()
                    .map(MerkleHash::ofLeaf)
                    .toList();
            if (!hashes.equals(tables.hashes(new TileId(0, (from + i) / TileId.WIDTH, TileId.WIDTH)))
                    || !standsAbove(MerkleTree.ofLeaves(hashes).root(), (from + i) / TileId.WIDTH)) {
                return Optional.of(new Fault("altered", from + i));
            }
        }
        return Optional.empty();
    }

    /// Whether the full tiles above a tile hold its hash.
    private boolean standsAbove(MerkleHash root, long tile) {
        var hash = root;
        long number = tile;
        for (int level = 1; ; level++) {
            var id = new TileId(level, number / TileId.WIDTH, TileId.WIDTH);
            if (tables.read(id).isEmpty()) {
                return true;
            }
            var above = tables.hashes(id);
            if (!above.get((int) (number % TileId.WIDTH)).equals(hash)) {
                return false;
            }
            hash = MerkleTree.ofLeaves(above).root();
            number /= TileId.WIDTH;
        }
    }

    @Override
    public HealthCheckResponse call() {
        var found = fault;
        var answer = HealthCheckResponse.named("audit log").withData("checked at", checkedAt);
        if (found != null) {
            answer.withData("fault", found.kind).withData("index", found.index);
        }
        return answer.status(found == null).build();
    }
}
