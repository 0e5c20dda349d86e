package dev.counterpoint.bus.audit;

import dev.counterpoint.bus.wire.BusProto;

/// What gateways deleted of a person.
///
/// @param completions stored chat completions
/// @param reasoning entries of sealed reasoning that waited for a tool's answer
/// @param deliveries announcements of responses to webhooks
public record ErasedRows(long responses, long completions, long conversations, long reasoning, long deliveries) {
    BusProto.ErasedRows encode() {
        return BusProto.ErasedRows.newBuilder()
                .setResponses(responses)
                .setCompletions(completions)
                .setConversations(conversations)
                .setReasoning(reasoning)
                .setDeliveries(deliveries)
                .build();
    }

    static ErasedRows decode(BusProto.ErasedRows in) {
        return new ErasedRows(
                in.getResponses(), in.getCompletions(), in.getConversations(), in.getReasoning(), in.getDeliveries());
    }

    /// How many in all.
    public long total() {
        return responses + completions + conversations + reasoning + deliveries;
    }
}
