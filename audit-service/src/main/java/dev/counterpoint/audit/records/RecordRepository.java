package dev.counterpoint.audit.records;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.hibernate.Session;

/// The table `trace_record`; used through [RecordStore] only.
@ApplicationScoped
class RecordRepository implements PanacheRepositoryBase<RecordRow, String> {
    /// Looks each response up in the index, because without statistics the planner would scan the whole table.
    private static final String PRESENT = """
        select found.response from unnest(cast(:responses as text[])) wanted (response)
        cross join lateral (select response from trace_record where response = wanted.response limit 1) found\
        """;

    /// Those of these responses that have a record.
    Set<String> present(Collection<String> responses) {
        return new HashSet<>(getEntityManager()
                .unwrap(Session.class)
                .createNativeQuery(PRESENT, String.class)
                .setParameter("responses", responses.toArray(String[]::new))
                .getResultList());
    }
}
