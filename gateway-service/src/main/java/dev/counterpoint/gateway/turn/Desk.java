package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.gateway.GatewayConfig;
import dev.counterpoint.gateway.models.Fleet;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.problem.ProblemException;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.stream.Generations;
import dev.counterpoint.gateway.stream.Submission;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;

/// Where both APIs hand in their requests. Thread-safe.
@ApplicationScoped
public class Desk {
    private final Generations generations;
    private final Fleet fleet;
    private final StoredResponses rows;
    private final KeyRing keys;
    private final GatewayConfig config;
    private final InstantSource clock;

    @Inject
    Desk(Generations generations, Fleet fleet, StoredResponses rows, KeyRing keys, GatewayConfig config) {
        this(generations, fleet, rows, keys, config, InstantSource.system());
    }

    Desk(
            Generations generations,
            Fleet fleet,
            StoredResponses rows,
            KeyRing keys,
            GatewayConfig config,
            InstantSource clock) {
        this.generations = generations;
        this.fleet = fleet;
        this.rows = rows;
        this.keys = keys;
        this.config = config;
        this.clock = clock;
    }

    public Fleet fleet() {
        return fleet;
    }

    public StoredResponses rows() {
        return rows;
    }

    public GatewayConfig config() {
        return config;
    }

    public InstantSource clock() {
        return clock;
    }

    /// Today in UTC, as the model is told it.
    public String date() {
        return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).toString();
    }

    /// Checks the sealed reasoning that comes back to a request.
    public SealCheck seals(GenerationJob.ReasoningTerms terms) {
        return SealCheck.of(keys, clock, terms);
    }

    /// Names a response.
    ///
    /// @throws Generations.UnavailableException when nothing can run now
    public ResponseId newResponse() {
        return generations.newResponse();
    }

    /// Writes the row, if there is to be one, and lets the model begin.
    ///
    /// @param failed what the row says when the bus does not take the request
    /// @throws ProblemException 413 when the request does not fit into one message
    public Generations.Generation start(
            ResponseId id, Submission submission, Optional<StoredResponses.NewRow> row, TurnRows.Last failed) {
        row.ifPresent(rows::accept);
        try {
            return generations.start(id, submission);
        } catch (Generations.TooLargeException e) {
            row.ifPresent(_ -> rows.finish(failed.id(), failed.tenant(), failed.status(), failed.json()));
            throw new ProblemException(Problem.tooLarge(Topic.MESSAGE_BYTES_MAX));
        } catch (Generations.UnavailableException e) {
            row.ifPresent(_ -> rows.finish(failed.id(), failed.tenant(), failed.status(), failed.json()));
            throw e;
        }
    }
}
