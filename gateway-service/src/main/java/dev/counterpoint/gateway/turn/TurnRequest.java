package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.gateway.generation.Submission;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.tenancy.Caller;
import java.time.Instant;
import java.util.Optional;

/// A checked request of one API for one answer. Pure.
public interface TurnRequest {
    Caller caller();

    /// The job for the model; charged before it begins.
    GenerationJob job();

    Submission submission(ResponseId id);

    /// The row that is written before the model begins; empty when none is kept.
    Optional<StoredResponses.NewRow> row(ResponseId id, Instant now, Instant expiresAt);

    /// The ending that the row gets when the bus does not take the request.
    TurnRows.Last notQueued(ResponseId id);
}
