package dev.counterpoint.audit.intake;

import dev.counterpoint.audit.ledger.NewRecord;
import dev.counterpoint.audit.ledger.Status;
import dev.counterpoint.audit.vault.Subject;
import dev.counterpoint.bus.audit.AuditTerms;
import dev.counterpoint.bus.audit.Trace;
import dev.counterpoint.bus.audit.TraceRecord;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.seal.KeyRing;
import java.time.Instant;

/// Opens what the bus brings of a response. A pure function of the record and the keys.
final class OpenedTrace {
    private OpenedTrace() {}

    /// @throws dev.counterpoint.bus.seal.SealException when terms or trace are not sealed to us, or were moved
    /// @throws dev.counterpoint.bus.wire.MalformedMessageException when they are no such messages
    static NewRecord of(TraceRecord record, KeyRing keys) {
        var terms =
                AuditTerms.decode(keys.open(record.terms(), AuditTerms.context(record.tenant(), record.response())));
        return switch (record.body()) {
            case TraceRecord.Whole whole -> {
                var context = Trace.context(record.tenant(), record.response());
                var trace = Trace.decode(keys.open(whole.sealedTrace(), context));
                var ending = new Ending(status(trace.finish()), trace.finish().name(), false, false, 0);
                yield record(record, terms, ending, trace);
            }
            case TraceRecord.Partial partial -> {
                var frames = new PartialTrace(record, keys);
                partial.frames().forEach(frames::accept);
                var ending = new Ending(
                        status(partial.reason()), partial.reason().name(), true, partial.cut(), frames.unopened());
                yield record(record, terms, ending, frames.trace(partial.endedAtMillis()));
            }
        };
    }

    private record Ending(Status status, String reason, boolean partial, boolean cut, int unopened) {}

    private static NewRecord record(TraceRecord record, AuditTerms terms, Ending ending, Trace trace) {
        return new NewRecord(
                record.response(),
                record.tenant(),
                Subject.of(terms.subject(), record.key()),
                record.key(),
                record.model(),
                Instant.ofEpochMilli(record.acceptedAtMillis()),
                ending.status,
                ending.reason,
                terms.optIn(),
                terms.conversation(),
                ending.partial,
                ending.cut,
                ending.unopened,
                trace);
    }

    private static Status status(End.Finish finish) {
        return switch (finish) {
            case STOP, STOP_SEQUENCE -> Status.COMPLETED;
            case MAX_TOKENS, CONTEXT_FULL -> Status.INCOMPLETE;
            case FAILED, PROMPT_TOO_LONG, INVALID_PROMPT, INVALID_REASONING -> Status.FAILED;
        };
    }

    private static Status status(OwnerEnd.Reason reason) {
        return switch (reason) {
            case CANCELLED -> Status.CANCELLED;
            case EXPIRED -> Status.EXPIRED;
            case ATTEMPTS_EXHAUSTED, NOT_QUEUED -> Status.FAILED;
        };
    }
}
