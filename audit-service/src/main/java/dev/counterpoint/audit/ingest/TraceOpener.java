package dev.counterpoint.audit.ingest;

import dev.counterpoint.audit.keys.DataSubject;
import dev.counterpoint.audit.records.NewRecord;
import dev.counterpoint.audit.records.RecordStatus;
import dev.counterpoint.bus.audit.AuditTerms;
import dev.counterpoint.bus.audit.Trace;
import dev.counterpoint.bus.audit.TraceRecord;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.seal.KeyRing;
import java.time.Instant;

/// Opens what the bus brings of a response. A pure function of the record and the keys.
final class TraceOpener {
    private TraceOpener() {}

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
                var frames = new PartialTraceAssembler(record, keys);
                partial.frames().forEach(frames::accept);
                var ending = new Ending(
                        status(partial.reason()), partial.reason().name(), true, partial.cut(), frames.unopened());
                yield record(record, terms, ending, frames.trace(partial.endedAtMillis()));
            }
        };
    }

    private record Ending(RecordStatus status, String reason, boolean partial, boolean cut, int unopened) {}

    private static NewRecord record(TraceRecord record, AuditTerms terms, Ending ending, Trace trace) {
        return new NewRecord(
                record.response(),
                record.tenant(),
                DataSubject.of(terms.subject(), record.key()),
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

    private static RecordStatus status(End.Finish finish) {
        return switch (finish) {
            case STOP, STOP_SEQUENCE -> RecordStatus.COMPLETED;
            case MAX_TOKENS, CONTEXT_FULL -> RecordStatus.INCOMPLETE;
            case FAILED, PROMPT_TOO_LONG, INVALID_PROMPT, INVALID_REASONING -> RecordStatus.FAILED;
        };
    }

    private static RecordStatus status(OwnerEnd.Reason reason) {
        return switch (reason) {
            case CANCELLED -> RecordStatus.CANCELLED;
            case EXPIRED -> RecordStatus.EXPIRED;
            case ATTEMPTS_EXHAUSTED, NOT_QUEUED -> RecordStatus.FAILED;
        };
    }
}
