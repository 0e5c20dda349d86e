package dev.counterpoint.bus.audit;

import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.bus.wire.Numbered;
import dev.counterpoint.bus.wire.Wire;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// One record of the topic `access-log`, keyed by the response's id: what a gateway puts on record. The broker
/// acknowledges the entry of raw reasoning before the first raw byte leaves. An entry says who and which, never what;
/// the rest is sealed. A reader keeps an entry whose action it does not know.
///
/// @param id unique; the same entry may arrive more than once and counts once
/// @param atMillis milliseconds since 1970
/// @param actor the id of the API key that sees the reasoning or asked for the response; who agreed
/// @param tenant the owner of the reasoning
/// @param response id of the response
/// @param sealed the [Closing], sealed to the audit service; else empty
/// @param erased what was deleted; else null
public record AccessEntry(
        String id,
        long atMillis,
        String actor,
        String tenant,
        String response,
        Action action,
        byte[] sealed,
        @Nullable ErasedRows erased) {
    private static final int VERSION = 1;

    /// Positions are on the wire and never change.
    public enum Action implements Numbered {
        /// An action of a newer version: kept, though it cannot be named.
        UNKNOWN,
        /// A caller with a raw key gets the raw reasoning of its own response.
        RAW_REASONING_SHOWN,
        /// An opted-in response ended: [Closing].
        RESPONSE_CLOSED,
        /// A tenant agreed that raw reasoning of its opted-in requests is kept. The entry's id names the consent, the
        /// actor is who agreed, and there is no response.
        CONSENT_GIVEN,
        /// The consent was replaced or withdrawn.
        CONSENT_ENDED,
        /// Gateways deleted what they stored of an erased person: [ErasedRows]. The entry's id names the erasure, and
        /// there is no response.
        ROWS_ERASED;

        /// The id of the only entry of this action about something.
        public String entryOf(String id) {
            return name().toLowerCase(Locale.ROOT) + "_" + id;
        }
    }

    /// An entry without counts.
    public AccessEntry(
            String id, long atMillis, String actor, String tenant, String response, Action action, byte[] sealed) {
        this(id, atMillis, actor, tenant, response, action, sealed, null);
    }

    /// An entry that says all in clear.
    public AccessEntry(String id, long atMillis, String actor, String tenant, String response, Action action) {
        this(id, atMillis, actor, tenant, response, action, new byte[0]);
    }

    public byte[] encode() {
        var out = BusProto.AccessEntry.newBuilder()
                .setVersion(VERSION)
                .setIdBytes(Wire.text(id))
                .setAtMillis(atMillis)
                .setActorBytes(Wire.text(actor))
                .setTenantBytes(Wire.text(tenant))
                .setResponseBytes(Wire.text(response))
                .setAction(action.number())
                .setSealed(Wire.bytes(sealed));
        if (erased != null) {
            out.setErased(erased.encode());
        }
        return out.build().toByteArray();
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
                Wire.constant(in.getAction(), Action.values(), Action.UNKNOWN),
                in.getSealed().toByteArray(),
                in.hasErased() ? ErasedRows.decode(in.getErased()) : null);
    }
}
