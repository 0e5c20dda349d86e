package dev.counterpoint.gateway.turn;

import dev.counterpoint.gateway.store.StoredResponses;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
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
    /// @param answered ids of responses whose turn this ending answers, so that they lose their sealed reasoning;
    ///     empty while the turn is open
    public record Last(String id, String tenant, String status, String json, List<String> answered) {
        /// Of a turn that stays open, or that keeps no sealed reasoning.
        public Last(String id, String tenant, String status, String json) {
            this(id, tenant, status, json, List.of());
        }

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
        Runnable write = () -> {
            responses.finish(last.id, last.tenant, last.status, last.json);
            if (!last.answered.isEmpty()) {
                responses.forgetSealed(last.answered, last.tenant);
            }
        };
        return write(last.id, write, WAIT_MAX);
    }

    /// Takes the sealed reasoning out of the rows of a turn that a response without a row has answered. Waits for
    /// nobody.
    public void forget(String id, List<String> answered, String tenant) {
        write(id, () -> responses.forgetSealed(answered, tenant), Duration.ZERO);
    }

    private boolean write(String id, Runnable write, Duration wait) {
        if (tryFor(id, write, wait, PAUSE)) {
            return true;
        }
        LOG.warnf("responseId=%s row=late", id);
        Thread.ofVirtual().name("row-" + id).start(() -> tryFor(id, write, LATER_MAX, LONG_PAUSE));
        return false;
    }

    private static boolean tryFor(String id, Runnable write, Duration atMost, Duration pause) {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (true) {
            try {
                write.run();
                return true;
            } catch (RuntimeException e) {
                LOG.debugf(
                        "responseId=%s row=not-written error=%s",
                        id, e.getClass().getName());
            }
            if (System.nanoTime() >= deadline) {
                return false;
            }
            try {
                Thread.sleep(pause); // the pace of asking again; nothing depends on it
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }
}
