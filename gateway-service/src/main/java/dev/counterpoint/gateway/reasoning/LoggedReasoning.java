package dev.counterpoint.gateway.reasoning;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.generation.Replays;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.servicekit.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// The sealed reasoning in the logs of responses, which workers alone can open. Thread-safe.
@ApplicationScoped
class LoggedReasoning {
    private final Replays replays;
    private final Duration patience;

    LoggedReasoning(Replays replays, GatewayConfig config) {
        this.replays = replays;
        patience = config.firstTokenTimeout();
    }

    /// All of a response that has ended, oldest first; empty when its log is not kept any more.
    ///
    /// @throws ProblemException 503 when the log cannot be read now
    List<String> sealed(ResponseId id, String tenant) throws InterruptedException {
        try {
            return replays.open(id, 0, replay -> of(replay, tenant)).orElse(List.of());
        } catch (Replays.GoneException e) {
            return List.of();
        } catch (Replays.BusyException e) {
            throw busy();
        }
    }

    private Optional<List<String>> of(Replays.Replay replay, String tenant) throws InterruptedException {
        if (!replay.accepted().tenant().equals(tenant)) {
            return Optional.empty();
        }
        try (replay) {
            var blobs = new ArrayList<String>();
            long until = System.nanoTime() + patience.toNanos();
            while (true) {
                var output = replay.next(Math.max(1, TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime())));
                if (output instanceof ModelOutput.SealedReasoning(String blob)) {
                    blobs.add(blob);
                } else if (output != null && output.isLast()) {
                    return Optional.of(List.copyOf(blobs));
                } else if (System.nanoTime() >= until) {
                    throw busy();
                }
            }
        }
    }

    private static ProblemException busy() {
        return new ProblemException(
                Problem.unavailable("The log of the response cannot be read for the moment; try again."));
    }
}
