package dev.counterpoint.bus.seal;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.audit.TraceRecord;
import dev.counterpoint.bus.frame.FrameKind;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// The kinds of records that are signed, and the role whose signature each takes. The kind is under the signature, so
/// that nothing signed as one thing passes as another.
public enum SignedRecord {
    ACCEPTED(ServiceRole.GATEWAY),
    REISSUE(ServiceRole.GATEWAY),
    OWNER_END(ServiceRole.GATEWAY),
    SUMMARY_ABANDONED(ServiceRole.GATEWAY),
    STEER(ServiceRole.GATEWAY),
    FENCE(ServiceRole.WORKER),
    SUMMARY_END(ServiceRole.SUMMARIZER),
    JOB_TICKET(ServiceRole.GATEWAY),
    STOP_COMMAND(ServiceRole.GATEWAY),
    SUSPECT_REPORT(ServiceRole.GATEWAY),
    DRAFT_REQUEST(ServiceRole.SUMMARIZER),
    DRAFT_ANSWER(ServiceRole.WORKER),
    WHOLE_TRACE(ServiceRole.WORKER),
    PARTIAL_TRACE(ServiceRole.GATEWAY),
    ACCESS_ENTRY(ServiceRole.GATEWAY),
    GATEWAY_BEATS(ServiceRole.GATEWAY),
    WORKER_BEATS(ServiceRole.WORKER),
    SUMMARIZER_BEATS(ServiceRole.SUMMARIZER),
    AUDIT_BEATS(ServiceRole.AUDIT),
    ERASE(ServiceRole.AUDIT);

    private static final String VERSION = "counterpoint 1";

    private final ServiceRole signer;

    SignedRecord(ServiceRole signer) {
        this.signer = signer;
    }

    ServiceRole signer() {
        return signer;
    }

    /// The kind of a frame; empty for frames of an attempt's holder, which carry a tag, and for kinds of newer
    /// versions.
    static Optional<SignedRecord> of(FrameKind kind) {
        return switch (kind) {
            case ACCEPTED -> Optional.of(ACCEPTED);
            case REISSUE -> Optional.of(REISSUE);
            case OWNER_END -> Optional.of(OWNER_END);
            case SUMMARY_ABANDONED -> Optional.of(SUMMARY_ABANDONED);
            case STEER -> Optional.of(STEER);
            case FENCE -> Optional.of(FENCE);
            case SUMMARY_END -> Optional.of(SUMMARY_END);
            case DELTA, SEALED_REASONING, PROGRESS, HANDOVER, END, SUMMARY, UNKNOWN -> Optional.empty();
        };
    }

    /// A worker signs the whole trace, a gateway a partial one.
    public static SignedRecord of(TraceRecord trace) {
        return switch (trace.body()) {
            case TraceRecord.Whole _ -> WHOLE_TRACE;
            case TraceRecord.Partial _ -> PARTIAL_TRACE;
        };
    }

    static SignedRecord beatsOf(ServiceRole role) {
        return switch (role) {
            case GATEWAY -> GATEWAY_BEATS;
            case WORKER -> WORKER_BEATS;
            case SUMMARIZER -> SUMMARIZER_BEATS;
            case AUDIT -> AUDIT_BEATS;
        };
    }

    /// The bytes that stand before the content under the signature.
    ///
    /// @param topic on which the record stands; without NUL, which ends these bytes
    byte[] context(String topic) {
        return (VERSION + "|" + name() + "|" + topic + "\0").getBytes(StandardCharsets.UTF_8);
    }
}
