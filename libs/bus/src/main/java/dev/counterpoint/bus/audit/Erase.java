package dev.counterpoint.bus.audit;

import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.bus.wire.Wire;

/// A record of the topic `audit-log`: the audit service erased a person, and gateways delete what they store of
/// responses that were accepted until then. The topic is kept for ever, so it holds a token and never a name.
///
/// @param id of the erasure
/// @param token of [dev.counterpoint.bus.seal.SubjectTokens]; empty for everybody of the tenant
/// @param atMillis the time of the erasure in milliseconds since 1970
public record Erase(String id, String tenant, byte[] token, long atMillis) {
    /// The key of such a record; the checkpoints on the same topic have none.
    public static final String KEY = "erase";

    public static final byte[] EVERYBODY = {};

    private static final int VERSION = 1;

    public Erase {
        token = token.clone();
    }

    public byte[] encode() {
        return BusProto.Erase.newBuilder()
                .setVersion(VERSION)
                .setIdBytes(Wire.text(id))
                .setTenantBytes(Wire.text(tenant))
                .setToken(Wire.bytes(token))
                .setAtMillis(atMillis)
                .build()
                .toByteArray();
    }

    public static Erase decode(byte[] bytes) {
        var in = Wire.parse(BusProto.Erase.parser(), bytes, VERSION);
        if (in.getId().isEmpty() || in.getTenant().isEmpty()) {
            throw new MalformedMessageException("an erasure without id or tenant");
        }
        return new Erase(in.getId(), in.getTenant(), in.getToken().toByteArray(), in.getAtMillis());
    }
}
