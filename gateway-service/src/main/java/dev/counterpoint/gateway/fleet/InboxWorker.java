package dev.counterpoint.gateway.fleet;

import java.util.Map;

/// A live worker with an inbox.
///
/// @param name its incarnation
/// @param freeSlots by its last beat and by the frames since
/// @param taken by partition of its inbox, the offset of the first ticket that it has not taken
/// @param beats the number of its beats so far
public record InboxWorker(String name, int slots, int freeSlots, Map<Integer, Long> taken, long beats) {}
