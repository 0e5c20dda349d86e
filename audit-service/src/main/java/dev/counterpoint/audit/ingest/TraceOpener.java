package dev.counterpoint.audit.ingest;

import dev.counterpoint.audit.records.NewRecord;
import dev.counterpoint.audit.records.RecordEnding;
import dev.counterpoint.bus.audit.AuditTerms;
import dev.counterpoint.bus.audit.Trace;
import dev.counterpoint.bus.audit.TraceRecord;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SignedRecord;

/// Verifies a record of the topic `audit` and opens its sealed trace. A pure function of the record and the keys.
final class TraceOpener {
    private TraceOpener() {}

    /// @param signed by the worker that ended the response, or by the gateway that ended it instead
    /// @throws dev.counterpoint.bus.seal.SealException when the signature is missing, or terms or trace are moved
    /// or not sealed to us
    /// @throws dev.counterpoint.bus.wire.MalformedMessageException when their bytes are no such messages
    static NewRecord open(byte[] signed, KeyRing keys) {
        var record = TraceRecord.decode(signed);
        keys.signatures().verified(SignedRecord.of(record), Topic.AUDIT, signed);
        return open(record, keys);
    }

    private static NewRecord open(TraceRecord record, KeyRing keys) {
        var terms =
                AuditTerms.decode(keys.open(record.terms(), AuditTerms.context(record.tenant(), record.response())));
        return switch (record.body()) {
            case TraceRecord.Whole whole -> {
                var context = Trace.context(record.tenant(), record.response());
                var trace = Trace.decode(keys.open(whole.sealedTrace(), context));
                yield new NewRecord(record, terms, new RecordEnding.ByWorker(trace.finish()), trace);
            }
            case TraceRecord.Partial partial -> {
                var frames = new PartialTraceAssembler(record, keys);
                partial.frames().forEach(frames::accept);
                var ending = new RecordEnding.ByOwner(partial.reason(), partial.cut(), frames.unopened());
                yield new NewRecord(record, terms, ending, frames.trace(partial.endedAtMillis()));
            }
        };
    }
}
