package dev.counterpoint.audit.records;

/// What became of an attempt to approve or cancel a requested erasure.
public sealed interface ErasureDecision {
    /// The subject is erased.
    record Erased(ErasureReceipt receipt) implements ErasureDecision {}

    /// The listed erasures are all that a restore lost.
    record Confirmed(RequestedErasure request) implements ErasureDecision {}

    /// Nobody will erase it by this request.
    record Cancelled(RequestedErasure request) implements ErasureDecision {}

    /// Who asked for it cannot approve it.
    record SamePerson(RequestedErasure request) implements ErasureDecision {}

    /// It is approved, cancelled or expired already.
    record NotOpen(RequestedErasure request) implements ErasureDecision {}

    /// There is no such request.
    record Absent() implements ErasureDecision {}
}
