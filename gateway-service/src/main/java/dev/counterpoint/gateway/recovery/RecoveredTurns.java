package dev.counterpoint.gateway.recovery;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.gateway.admission.Admission;
import dev.counterpoint.gateway.fleet.FleetMembership;
import dev.counterpoint.gateway.generation.Generations;
import dev.counterpoint.gateway.generation.Replays;
import dev.counterpoint.gateway.generation.Submission;
import dev.counterpoint.gateway.log.follow.FollowedResponse;
import dev.counterpoint.gateway.log.follow.FollowedResponses;
import dev.counterpoint.gateway.log.follow.LiveGeneration;
import dev.counterpoint.gateway.problem.BackendUnavailableException;
import dev.counterpoint.gateway.store.Sql;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.gateway.turn.TurnRebuilder;
import dev.counterpoint.openai.json.WireException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes up responses that another gateway accepted, or this one before it was started again. A stored one is read to
/// its end here, and its row is written, as the gateway that accepted it would have done. Thread-safe.
@ApplicationScoped
public class RecoveredTurns implements FollowedResponses.Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(RecoveredTurns.class);

    private final KeyRing keys;
    private final FleetMembership fleet;
    private final Replays replays;
    private final Admission admission;
    private final Instance<TurnRebuilder> apis;
    private final StoredResponses rows;
    private final Generations generations;

    public RecoveredTurns(
            KeyRing keys,
            FleetMembership fleet,
            Replays replays,
            Admission admission,
            @Any Instance<TurnRebuilder> apis,
            StoredResponses rows,
            Generations generations) {
        this.keys = keys;
        this.fleet = fleet;
        this.replays = replays;
        this.admission = admission;
        this.apis = apis;
        this.rows = rows;
        this.generations = generations;
    }

    /// A response that is not stored is for a client that another gateway holds: it runs on while that gateway lives,
    /// and ends with it.
    @Override
    public void recover(FollowedResponse response) {
        var accepted = response.accepted;
        var handle = response.handle;
        if (accepted.stored()) {
            Thread.ofVirtual().name("recovered-" + response.id).start(() -> readToItsEnd(response));
            return;
        }
        handle.settle();
        if (accepted.background()) {
            return;
        }
        if (accepted.gateway().isEmpty() || accepted.gateway().equals(fleet.self())) {
            handle.abandon();
        } else {
            response.dependOnGateway(accepted.gateway());
        }
    }

    private void readToItsEnd(FollowedResponse response) {
        var accepted = response.accepted;
        echo(response)
                .ifPresent(echo -> take(
                        new LiveGeneration(response.id, response.handle, accepted.background(), replays, admission),
                        accepted,
                        echo));
    }

    private Optional<byte[]> echo(FollowedResponse response) {
        try {
            return Optional.of(keys.open(response.accepted.sealed().echo(), Submission.echoContext(response.id)));
        } catch (RuntimeException e) {
            LOG.error("response is not taken up responseId={}", response.id, e);
            response.handle.abandon();
            response.handle.settle();
            return Optional.empty();
        }
    }

    /// Brings one turn to its end. One that has its ending on record is ended at the model too.
    ///
    /// @param echo of its submission
    public void take(Generations.Generation generation, Accepted accepted, byte[] echo) {
        try {
            if (isOver(generation.id(), accepted)) {
                end(generation);
                return;
            }
            var run = TurnRebuilder.rebuild(apis, generation, accepted, echo);
            if (accepted.stored() || accepted.background()) {
                run.detach();
            } else {
                run.abandon();
            }
        } catch (WireException | IllegalArgumentException e) {
            LOG.error(
                    "responseId={} echo=unreadable error={}",
                    generation.id(),
                    e.getClass().getName());
        }
    }

    /// A database that does not answer says nothing.
    private boolean isOver(ResponseId id, Accepted accepted) {
        try {
            return accepted.stored() && !ended(List.of(id)).isEmpty();
        } catch (Sql.FailedException e) {
            return false;
        }
    }

    /// The responses that have their ending on record. A log does not say in clear of which API its response is, so
    /// rows of both are asked for.
    Set<ResponseId> ended(List<ResponseId> ids) {
        return rows.ended(names(ids)).stream()
                .flatMap(name -> TurnIds.parse(name).stream())
                .collect(Collectors.toSet());
    }

    private static List<String> names(List<ResponseId> ids) {
        return ids.stream()
                .map(TurnIds::new)
                .flatMap(id -> Stream.of(id.response(), id.completion()))
                .toList();
    }

    /// Frame 0 came after the row had ended, so nobody waits for the answer. The log ends as the row did: a request
    /// that was refused was not cancelled.
    private void end(Generations.Generation generation) {
        var id = generation.id();
        try {
            if (rows.anyFailed(names(List.of(id)))) {
                generations.withdraw(id);
            } else {
                generations.cancel(id);
            }
        } catch (BackendUnavailableException | Sql.FailedException e) {
            LOG.warn("responseId={} runs-on=unread", id);
        } finally {
            generation.settle();
        }
    }
}
