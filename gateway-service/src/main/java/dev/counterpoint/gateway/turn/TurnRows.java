package dev.counterpoint.gateway.turn;

import dev.counterpoint.gateway.store.StoredResponses;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import org.jboss.logging.Logger;

/// Writes endings into rows, also through an outage of the database: half a minute is worth waiting for, because who
/// reads the response right after its stream must find it; then the client gets its answer and the row comes later.
/// Thread-safe.
@ApplicationScoped
public class TurnRows {
    private static final Logger LOG = Logger.getLogger(TurnRows.class);
    private static final Duration WAIT_MAX = Duration.ofSeconds(30);
    private static final Duration LATER_MAX = Duration.ofHours(1);
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final Duration LONG_PAUSE = Duration.ofSeconds(10);

    private final StoredResponses responses;

    @Inject
    TurnRows(StoredResponses responses) {
        this.responses = responses;
    }

    /// What is written.
    ///
    /// @param status OpenAI's word
    /// @param json the response without raw reasoning
    public record Last(String id, String tenant, String status, String json) {
        /// Says nothing of the content.
        @Override
        public String toString() {
            return "Last[id=" + id + "]";
        }
    }

    /// Writes the row. A row that its tenant has deleted counts as written.
    ///
    /// @return false when the database was away for too long; then it is tried further in the background
    public boolean finish(Last last) {
        if (finish(last, WAIT_MAX, PAUSE)) {
            return true;
        }
        LOG.warnf("responseId=%s row=late", last.id);
        Thread.ofVirtual().name("row-" + last.id).start(() -> finish(last, LATER_MAX, LONG_PAUSE));
        return false;
    }

    private boolean finish(Last last, Duration atMost, Duration pause) {
        long deadline = System.nanoTime() + atMost.toNanos();
        do {
            try {
                responses.finish(last.id, last.tenant, last.status, last.json);
                return true;
            } catch (RuntimeException e) {
                LOG.debugf(
                        "responseId=%s row=not-written error=%s",
                        last.id, e.getClass().getName());
            }
            try {
                Thread.sleep(pause); // the pace of asking again; nothing depends on it
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        } while (System.nanoTime() < deadline);
        return false;
    }
}
