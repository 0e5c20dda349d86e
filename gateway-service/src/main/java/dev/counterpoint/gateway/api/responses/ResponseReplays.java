package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.gateway.config.LogConfig;
import dev.counterpoint.gateway.config.ReasoningMode;
import dev.counterpoint.gateway.generation.Replays;
import dev.counterpoint.gateway.http.EventSource;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.tenancy.Caller;
import dev.counterpoint.gateway.turn.AccessRecorder;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.gateway.turn.TurnRows;
import dev.counterpoint.gateway.turn.TurnRun;
import dev.counterpoint.gateway.turn.TurnStream;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.servicekit.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;

/// Streams stored responses again, whichever gateway runs or ran them. Thread-safe.
@ApplicationScoped
class ResponseReplays {
    private final Replays replays;
    private final AccessRecorder rawAccess;
    private final TurnRows endings;
    private final StoredResponses rows;
    private final Duration window;

    ResponseReplays(
            Replays replays, AccessRecorder rawAccess, TurnRows endings, StoredResponses rows, LogConfig config) {
        this.replays = replays;
        this.rawAccess = rawAccess;
        this.endings = endings;
        this.rows = rows;
        this.window = config.replayWindow();
    }

    /// The events after `starting_after`, in the making or made. Raw reasoning is among them where the response was
    /// created with it, and the numbers of all others count it, so a caller who may not read it gets none of them.
    ///
    /// @return empty when the caller has no such response
    /// @throws ProblemException 400 after the window, 403 that names the missing scope, 503 when as many replays
    ///     run as there may be
    Optional<EventSource> open(String id, Caller caller, ReadParameters parameters) throws InterruptedException {
        long startingAfter = parameters.startingAfter();
        var obfuscated = parameters.obfuscated();
        var parsed = TurnIds.parseResponse(id);
        if (parsed.isEmpty() || rows.find(id, caller.owner()).isEmpty()) {
            return Optional.empty();
        }
        return open(parsed.get(), replay -> {
            if (!replay.accepted().tenant().equals(caller.tenant())) {
                return Optional.empty();
            }
            var plan = WireJson.read(replay.echo(), ResponsePlan.class).padded(obfuscated);
            requireEntitled(plan, caller);
            if (plan.rawReasoning()) {
                rawAccess.awaitReplay(replay, caller.key());
            }
            var run = new TurnRun<>(replay, new ResponseAssembler(replay.id(), plan), (_, _) -> {
                if (!replay.left()) {
                    endings.await(id, caller.tenant());
                }
            });
            return Optional.of(new TurnStream<>(run, new ResponseEventFormat(startingAfter, plan.showsEncrypted())));
        });
    }

    private Optional<EventSource> open(ResponseId id, Replays.Use<EventSource> use) throws InterruptedException {
        try {
            return replays.open(id, 0, use);
        } catch (Replays.BusyException e) {
            throw new ProblemException(Problem.unavailable("Too many earlier streams are read at once; try again."));
        } catch (Replays.GoneException e) {
            throw new ProblemException(Problem.invalidRequest(
                    "stream",
                    "replay_window_passed",
                    "A response can be streamed again for %d minutes after it was accepted, and this one was accepted"
                                    .formatted(window.toMinutes())
                            + " before that. Without 'stream' you get what became of it."));
        }
    }

    private static void requireEntitled(ResponsePlan plan, Caller caller) {
        if (plan.rawReasoning()) {
            caller.reasoning(ReasoningMode.FULL, ReasoningMode.NONE);
        } else if (plan.summaryDue()) {
            caller.reasoning(ReasoningMode.SUMMARY, ReasoningMode.NONE);
        }
    }
}
