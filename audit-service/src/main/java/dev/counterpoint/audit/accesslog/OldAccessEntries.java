package dev.counterpoint.audit.accesslog;

import dev.counterpoint.audit.log.EventStore;
import dev.counterpoint.audit.log.OldRows;
import dev.counterpoint.auditlog.SortedJson;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.TreeMap;
import org.hibernate.Session;
import org.jspecify.annotations.Nullable;

/// The entries of the table `access_entry`, which the version before writes.
@ApplicationScoped
class OldAccessEntries implements OldRows {
    private static final int BLOCK = 1_000;
    private static final String OLD = """
        select id, encode(subject_token, 'hex'), cast(
            jsonb_strip_nulls(to_jsonb(access_entry)) - cast('{id,seq,lane,number,subject_token}' as text[])
            || jsonb_build_object('imported', true, 'at', cast(floor(extract(epoch from at) * 1000) as bigint)) as text)
        from access_entry where not imported order by seq limit %d\
        """.formatted(BLOCK);

    private final Session database;
    private final EventStore events;

    OldAccessEntries(Session database, EventStore events) {
        this.database = database;
        this.events = events;
    }

    @Override
    public boolean take() {
        var old = database.createNativeQuery(OLD, Object[].class).getResultList();
        for (var row : old) {
            take((String) row[0], (String) row[1], (String) row[2]);
        }
        return old.size() == BLOCK;
    }

    private void take(String id, @Nullable String subjectToken, String json) {
        if (!events.holds(id)) {
            var members = new TreeMap<String, Object>();
            SortedJson.read(json).properties().forEach(member -> members.put(member.getKey(), member.getValue()));
            var personal = new TreeMap<String, Object>();
            if (subjectToken != null) {
                personal.put("subject_token", subjectToken);
            }
            events.append(id, members, personal);
        }
        database.createNativeMutationQuery("update access_entry set imported = true where id = :id")
                .setParameter("id", id)
                .executeUpdate();
    }

    @Override
    public long waiting() {
        return database.createNativeQuery("select count(*) from access_entry where not imported", Long.class)
                .getSingleResult();
    }
}
