package dev.counterpoint.gateway.turn;

import dev.counterpoint.gateway.store.StoredResponses;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import org.jboss.logging.Logger;

/// Waits for endings that others write into rows. Thread-safe.
@ApplicationScoped
public class RowEndings {
    private static final Logger LOG = Logger.getLogger(RowEndings.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);

    private final StoredResponses rows;

    @Inject
    RowEndings(StoredResponses rows) {
        this.rows = rows;
    }

    /// The state of the row when the wait is over.
    public sealed interface Outcome {
        /// It says how the response ended.
        ///
        /// @param json the response without raw reasoning
        record Written(String json) implements Outcome {}

        /// Its tenant deleted it, or it has expired.
        record Gone() implements Outcome {}

        /// Nobody wrote it in time, or the database was away.
        record Late() implements Outcome {}
    }

    /// Looks at least once.
    public Outcome await(String id, String tenant, Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        var pause = FIRST_PAUSE;
        while (true) {
            var outcome = look(id, tenant);
            if (!(outcome instanceof Outcome.Late) || System.nanoTime() >= deadline) {
                return outcome;
            }
            Thread.sleep(pause); // the pace of asking again; nothing depends on it
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
    }

    private Outcome look(String id, String tenant) {
        try {
            var row = rows.findOfTenant(id, tenant);
            if (row.isEmpty()) {
                return new Outcome.Gone();
            }
            var json = row.get().responseJson();
            return json == null ? new Outcome.Late() : new Outcome.Written(json);
        } catch (RuntimeException e) {
            LOG.debugf("responseId=%s row=not-read error=%s", id, e.getClass().getName());
            return new Outcome.Late();
        }
    }
}
