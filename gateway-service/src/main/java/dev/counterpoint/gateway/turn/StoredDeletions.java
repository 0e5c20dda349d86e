package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.gateway.generation.Generations;
import dev.counterpoint.gateway.problem.BackendUnavailableException;
import dev.counterpoint.gateway.store.Owner;
import dev.counterpoint.gateway.store.StoredResponses;
import jakarta.enterprise.context.ApplicationScoped;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Deletes what was stored, of both APIs. Thread-safe.
@ApplicationScoped
public class StoredDeletions {
    private static final Logger LOG = LoggerFactory.getLogger(StoredDeletions.class);

    private final Generations generations;
    private final StoredResponses rows;

    StoredDeletions(Generations generations, StoredResponses rows) {
        this.generations = generations;
        this.rows = rows;
    }

    /// Deletes a row. One that runs is cancelled too, in the foreground as well: nobody may read what it would say.
    ///
    /// @param response whose row is deleted
    /// @param id the id of that row
    /// @return false when the project has no such row
    public boolean delete(ResponseId response, String id, Owner owner) {
        var row = rows.find(id, owner);
        if (row.isEmpty() || !rows.delete(id, owner)) {
            return false;
        }
        if (row.get().responseJson() == null) {
            cancelUnread(response);
        }
        return true;
    }

    /// The content is gone whether or not the bus takes this; then the response runs on unread, to its deadline at
    /// most.
    public void cancelUnread(ResponseId response) {
        try {
            generations.cancel(response);
        } catch (BackendUnavailableException e) {
            LOG.warn("responseId={} deleted=yes cancelled=no", response);
        }
    }
}
