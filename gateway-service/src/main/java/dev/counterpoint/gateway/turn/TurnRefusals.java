package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.frame.End;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.servicekit.ProblemException;
import java.util.Optional;

/// The errors that a client gets for a turn that ended without an answer.
public final class TurnRefusals {
    private TurnRefusals() {}

    /// The error that the ending is; empty when there is an answer.
    ///
    /// @param input the member that holds the conversation, as in `messages`
    public static Optional<Problem> of(TurnEnding ending, String input) {
        return switch (ending) {
            case TurnEnding.Complete _, TurnEnding.Truncated _ -> Optional.empty();
            case TurnEnding.Refused(End _, TurnEnding.Mistake mistake) ->
                Optional.of(Problem.invalidRequest(
                        mistake == TurnEnding.Mistake.GRAMMAR_TOO_COMPLEX ? null : input,
                        mistake.code(),
                        mistake.message()));
            case TurnEnding.Failed failed -> Optional.of(failure(failed.failure()));
            case TurnEnding.Cancelled _ -> Optional.of(Problem.unavailable("The request was cancelled."));
        };
    }

    /// Lets an answer pass.
    ///
    /// @param input as of [#of]
    /// @throws ProblemException for any other ending
    public static void requireAnswer(TurnEnding ending, String input) {
        of(ending, input).map(ProblemException::new).ifPresent(refusal -> {
            throw refusal;
        });
    }

    private static Problem failure(TurnEnding.Failure failure) {
        return switch (failure) {
            case ENGINE -> Problem.serverError();
            case NOT_ENFORCED -> Problem.notEnforced(failure.message());
            case CRASHED_WORKER -> Problem.crashedWorker(failure.message());
            case UPSTREAM_MISCONFIGURED -> Problem.misconfigured(failure.message());
            case EXPIRED -> Problem.timedOut(failure.message());
            case LOST, LOST_WITH_BUS, NOT_ON_BUS, NOT_QUEUED, UPSTREAM_BUSY -> Problem.unavailable(failure.message());
        };
    }
}
