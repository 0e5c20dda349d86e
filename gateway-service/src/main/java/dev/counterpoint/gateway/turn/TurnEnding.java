package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.frame.End;
import dev.counterpoint.gateway.generation.ModelOutput;
import org.jspecify.annotations.Nullable;

/// The ending of a turn, in words that both APIs understand.
public sealed interface TurnEnding {
    /// The model said all it wanted to.
    record Complete(End end) implements TurnEnding {}

    /// A limit of tokens cut it off, the filter of the model's server, or a form that is too complex; or all that the
    /// model said were calls that nobody offered.
    record Truncated(End end) implements TurnEnding {
        /// True if the rest was withheld.
        public boolean filtered() {
            return end.finish() == End.Finish.CONTENT_FILTER;
        }

        /// True if the user said something meanwhile.
        public boolean steered() {
            return end.finish() == End.Finish.STEERED;
        }

        /// True if the form that the request demands let nothing more come.
        boolean tooComplex() {
            return end.finish() == End.Finish.GRAMMAR_CUT;
        }
    }

    /// The request was wrong in a way that only a worker could see.
    record Refused(End end, Mistake mistake) implements TurnEnding {}

    /// The suite failed.
    ///
    /// @param end what was used, or null when no worker ended it
    record Failed(@Nullable End end, Failure failure) implements TurnEnding {}

    /// The client went away or asked for it.
    record Cancelled() implements TurnEnding {}

    /// A mistake of the request that only a worker can see.
    enum Mistake {
        CONTEXT_LENGTH_EXCEEDED(
                "context_length_exceeded", "The request needs more tokens than the model's context length."),
        INVALID_ENCRYPTED_CONTENT(
                "invalid_encrypted_content", "The encrypted content of a reasoning item could not be verified."),
        INVALID_PROMPT("invalid_prompt", "The request cannot be turned into a prompt for this model."),
        UPSTREAM_REFUSED("upstream_refused", "The server of this model refuses the request."),
        GRAMMAR_TOO_COMPLEX(
                "grammar_too_complex",
                "A grammar or schema of the request is too complex, or lets the model say nothing.");

        private final String code;
        private final String message;

        Mistake(String code, String message) {
            this.code = code;
            this.message = message;
        }

        /// OpenAI's name of the rule.
        public String code() {
            return code;
        }

        /// The sentence for the caller.
        public String message() {
            return message;
        }
    }

    /// A failure of the suite, as far as a caller needs to know it.
    enum Failure {
        ENGINE("The model failed while it processed your request."),
        /// The words in brackets are the name of this failure where the contract has no code for it.
        NOT_ENFORCED("The model's output does not keep to the form that the request demands"
                + " (strict_output_not_enforced)."),
        /// The words in brackets are the name of this failure where the contract has no code for it.
        UPSTREAM_BUSY("The servers of this model have too much to do (upstream_busy)."),
        /// As above. The message is for callers, the hint for the operator is in the worker's log.
        UPSTREAM_MISCONFIGURED(
                "The server of this model refuses to serve this deployment" + " (upstream_misconfigured)."),
        EXPIRED("The request took longer than it may and was ended."),
        LOST("The request was interrupted too often and was ended."),
        NOT_QUEUED("The request could not be queued."),
        /// The words in brackets are the name of this failure where the contract has no code for it.
        LOST_WITH_BUS("The response was lost with the message bus while it ran (lost_with_bus)."),
        /// Of a row without an ending, whose response no log knows.
        NOT_ON_BUS(
                "The response did not end: the message bus does not have it, because it never came there, because the"
                        + " bus was lost, or because the database was restored from before its end (response_lost)."),
        /// The words in brackets are the name of this failure where the contract has no code for it.
        CRASHED_WORKER("The model's workers failed twice while they processed your request."
                + " Do not send the same request again (job_crashed_worker).");

        private final String message;

        Failure(String message) {
            this.message = message;
        }

        /// The sentence for the caller.
        public String message() {
            return message;
        }
    }

    static TurnEnding of(ModelOutput.Finished finished) {
        var end = finished.end();
        return switch (end.finish()) {
            case STOP, STOP_SEQUENCE -> new Complete(end);
            case MAX_TOKENS, CONTEXT_FULL, CONTENT_FILTER, GRAMMAR_CUT, STEERED -> new Truncated(end);
            case FAILED -> new Failed(end, Failure.ENGINE);
            case NOT_ENFORCED -> new Failed(end, Failure.NOT_ENFORCED);
            case UPSTREAM_BUSY -> new Failed(end, Failure.UPSTREAM_BUSY);
            case UPSTREAM_MISCONFIGURED -> new Failed(end, Failure.UPSTREAM_MISCONFIGURED);
            case GRAMMAR_TOO_COMPLEX -> new Refused(end, Mistake.GRAMMAR_TOO_COMPLEX);
            case UPSTREAM_REFUSED -> new Refused(end, Mistake.UPSTREAM_REFUSED);
            case PROMPT_TOO_LONG -> new Refused(end, Mistake.CONTEXT_LENGTH_EXCEEDED);
            case INVALID_PROMPT -> new Refused(end, Mistake.INVALID_PROMPT);
            case INVALID_REASONING -> new Refused(end, Mistake.INVALID_ENCRYPTED_CONTENT);
        };
    }

    static TurnEnding of(ModelOutput.Stopped stopped) {
        return switch (stopped.reason()) {
            case CANCELLED -> new Cancelled();
            case EXPIRED -> new Failed(null, Failure.EXPIRED);
            case ATTEMPTS_EXHAUSTED -> new Failed(null, Failure.LOST);
            case NOT_QUEUED -> new Failed(null, Failure.NOT_QUEUED);
            case CRASHED_WORKER -> new Failed(null, Failure.CRASHED_WORKER);
            case LOST_WITH_BUS -> new Failed(null, Failure.LOST_WITH_BUS);
        };
    }

    /// True if the model's answer reached the caller, whole or cut off by a limit.
    default boolean answered() {
        return this instanceof Complete || this instanceof Truncated;
    }

    /// The tokens that were used, or null when nobody counted.
    default @Nullable End used() {
        return switch (this) {
            case Complete(End end) -> end;
            case Truncated(End end) -> end;
            case Refused(End end, Mistake _) -> end;
            case Failed(@Nullable End end, Failure _) -> end;
            case Cancelled() -> null;
        };
    }
}
