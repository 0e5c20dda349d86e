package dev.counterpoint.audit.store;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.hibernate.Session;

/// The numbers of rows that nobody deletes: without gaps in each lane of a table, assigned in the transaction of
/// the insert. An erasure destroys keys and leaves its rows, so a number that is missing is of a row that
/// somebody deleted behind this service's back. Thread-safe; every method is one short transaction.
@ApplicationScoped
public class RowNumbers {
    private final EntityManager entities;
    private final TransactionRole role;

    RowNumbers(EntityManager entities, TransactionRole role) {
        this.entities = entities;
        this.role = role;
    }

    /// A table whose rows are numbered.
    public enum Table {
        TRACE_RECORD;

        /// Its name in the database and for people.
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// A series of numbers of a table, from 1 on.
    ///
    /// @param last the number that was assigned last; 0 for none
    public record Lane(Table table, int lane, long last) {}

    /// Rows that are missing.
    ///
    /// @param missing how many, 1 or more
    /// @param first the lowest number that is missing
    public record Gap(long missing, long first) {}

    /// All lanes of a table, in their order.
    @Transactional
    public List<Lane> lanes(Table table) {
        role.staff(TransactionRole.EVERY_TENANT);
        return session()
                .createNativeQuery(
                        "select lane, last from row_counter where table_name = :table order by lane", Object[].class)
                .setParameter("table", table.wireName())
                .getResultList()
                .stream()
                .map(row -> new Lane(table, ((Number) row[0]).intValue(), ((Number) row[1]).longValue()))
                .toList();
    }

    /// What is missing of some numbers. A row is visible together with its number, so one that is being written is
    /// never missed.
    ///
    /// @param after the numbers begin behind it
    /// @param to the last one, at most the lane's
    @Transactional
    public Optional<Gap> gap(Lane lane, long after, long to) {
        role.staff(TransactionRole.EVERY_TENANT);
        var rows = "from " + lane.table.wireName() + " where lane = :lane and number > :after and number <= :to";
        long there = one("select count(*) " + rows, lane, after, to);
        if (there == to - after) {
            return Optional.empty();
        }
        long first = one("""
            select min(wanted) from generate_series(cast(:after as bigint) + 1, cast(:to as bigint)) wanted
            where wanted not in (select number %s)\
            """.formatted(rows), lane, after, to);
        return Optional.of(new Gap(to - after - there, first));
    }

    private long one(String query, Lane lane, long after, long to) {
        return session()
                .createNativeQuery(query, Long.class)
                .setParameter("lane", lane.lane)
                .setParameter("after", after)
                .setParameter("to", to)
                .getSingleResult();
    }

    private Session session() {
        return entities.unwrap(Session.class);
    }
}
