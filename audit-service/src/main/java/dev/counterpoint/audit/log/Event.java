package dev.counterpoint.audit.log;

import com.fasterxml.jackson.databind.JsonNode;

/// An event of the log.
public sealed interface Event {
    /// The index of an event that waits for its leaf.
    long NO_INDEX = -1;

    /// Its index in the log.
    long index();

    String id();

    /// An event whose row is unaltered and whose leaf, if it has one, is in the log.
    ///
    /// @param personal members that an erasure removes; empty afterwards
    record Verified(long index, String id, JsonNode body, JsonNode personal) implements Event {}

    /// An event whose row or leaf somebody changed.
    record Altered(long index, String id) implements Event {}
}
