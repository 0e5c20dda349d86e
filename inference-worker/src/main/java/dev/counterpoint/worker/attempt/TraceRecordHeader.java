package dev.counterpoint.worker.attempt;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.audit.Trace;
import dev.counterpoint.bus.audit.TraceRecord;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SignedRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The parts of an opted-in response's audit record that do not depend on its output.
///
/// @param terms as the gateway sealed them; the worker never opens them
public record TraceRecordHeader(
        ResponseId response, String tenant, String key, String model, long acceptedAtMillis, byte[] terms) {
    /// Null for a response that is not opted in.
    public static @Nullable TraceRecordHeader of(ResponseId response, Accepted accepted) {
        return accepted.audited()
                ? new TraceRecordHeader(
                        response,
                        accepted.tenant(),
                        accepted.key(),
                        accepted.model(),
                        accepted.acceptedAtMillis(),
                        accepted.sealed().auditTerms())
                : null;
    }

    /// The record, sealed to the audit service and signed.
    public byte[] record(End end, List<Trace.Segment> reasoning, KeyRing keys) {
        var trace = new Trace(
                end.finish(),
                end.inputTokens(),
                end.outputTokens(),
                end.reasoningTokens(),
                end.endedAtMillis(),
                reasoning);
        var sealed = keys.sealFor(ServiceRole.AUDIT, trace.encode(), Trace.context(tenant, response));
        var body = new TraceRecord.Whole(sealed);
        var record = new TraceRecord(response, tenant, key, model, acceptedAtMillis, terms, body);
        return keys.signatures().sign(SignedRecord.of(record), Topic.AUDIT, record.encode());
    }
}
