package dev.counterpoint.audit.records;

/// An erasure by its id: its receipt, or the request for it while there is none.
public sealed interface Erasure permits ErasureReceipt, RequestedErasure {
    String tenant();
}
