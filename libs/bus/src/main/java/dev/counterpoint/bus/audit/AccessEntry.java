package dev.counterpoint.bus.audit;

import dev.counterpoint.bus.wire.Fields;
import dev.counterpoint.bus.wire.MalformedMessageException;

/// One record of the topic `access-log`, keyed by the response's id: somebody is about to see raw reasoning. The broker
/// acknowledges it before the first raw byte leaves. It says who and which, never what, so it is not sealed.
///
/// @param id unique; the same entry may arrive more than once and counts once
/// @param atMillis milliseconds since 1970
/// @param actor who sees it: the id of an API key
/// @param tenant whose reasoning it is
/// @param response id of the response
public record AccessEntry(String id, long atMillis, String actor, String tenant, String response, Action action) {
    private static final int VERSION = 1;

    /// Numbers are on the wire and never change.
    public enum Action {
        /// An action of a newer version: kept, though it cannot be named.
        UNKNOWN(0),
        /// A caller with a raw key gets the raw reasoning of its own response.
        RAW_REASONING_SHOWN(1);

        private final int number;

        Action(int number) {
            this.number = number;
        }

        static Action of(int number) {
            for (var action : values()) {
                if (action.number == number) {
                    return action;
                }
            }
            return UNKNOWN;
        }
    }

    public byte[] encode() {
        return new Fields.Writer()
                .number(1, VERSION)
                .text(2, id)
                .number(3, atMillis)
                .text(4, actor)
                .text(5, tenant)
                .text(6, response)
                .number(7, action.number)
                .toBytes();
    }

    /// @throws MalformedMessageException for bytes that are no entry, or of a newer major version
    public static AccessEntry decode(byte[] bytes) {
        var in = new Fields.Reader(bytes);
        int version = 0;
        var id = "";
        long at = 0;
        var actor = "";
        var tenant = "";
        var response = "";
        var action = Action.UNKNOWN;
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> version = in.version(VERSION);
                case 2 -> id = in.text();
                case 3 -> at = in.number();
                case 4 -> actor = in.text();
                case 5 -> tenant = in.text();
                case 6 -> response = in.text();
                case 7 -> action = Action.of(in.small());
                default -> in.skip();
            }
        }
        if (version != VERSION || id.isEmpty()) {
            throw new MalformedMessageException("not an access entry of version " + VERSION);
        }
        return new AccessEntry(id, at, actor, tenant, response, action);
    }
}
