package dev.counterpoint.bus.audit;

import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.bus.wire.Numbered;
import dev.counterpoint.bus.wire.Wire;

/// One record of the topic `access-log`, keyed by the response's id: somebody is about to see raw reasoning. The broker
/// acknowledges it before the first raw byte leaves. It says who and which, never what, so it is not sealed.
///
/// @param id unique; the same entry may arrive more than once and counts once
/// @param atMillis milliseconds since 1970
/// @param actor the id of the API key that sees the reasoning
/// @param tenant the owner of the reasoning
/// @param response id of the response
public record AccessEntry(String id, long atMillis, String actor, String tenant, String response, Action action) {
    private static final int VERSION = 1;

    /// Positions are on the wire and never change.
    public enum Action implements Numbered {
        /// An action of a newer version: kept, though it cannot be named.
        UNKNOWN,
        /// A caller with a raw key gets the raw reasoning of its own response.
        RAW_REASONING_SHOWN
    }

    public byte[] encode() {
        return BusProto.AccessEntry.newBuilder()
                .setVersion(VERSION)
                .setIdBytes(Wire.text(id))
                .setAtMillis(atMillis)
                .setActorBytes(Wire.text(actor))
                .setTenantBytes(Wire.text(tenant))
                .setResponseBytes(Wire.text(response))
                .setAction(action.number())
                .build()
                .toByteArray();
    }

    public static AccessEntry decode(byte[] bytes) {
        var in = Wire.parse(BusProto.AccessEntry.parser(), bytes, VERSION);
        if (in.getId().isEmpty()) {
            throw new MalformedMessageException("an access entry without an id");
        }
        return new AccessEntry(
                in.getId(),
                in.getAtMillis(),
                in.getActor(),
                in.getTenant(),
                in.getResponse(),
                Wire.constant(in.getAction(), Action.values(), Action.UNKNOWN));
    }
}
