package dev.counterpoint.audit.keys;

import dev.counterpoint.bus.audit.AuditTerms;

/// The person that a record is about.
public sealed interface DataSubject {
    /// The end user, as requests name the user.
    record EndUser(String id) implements DataSubject {
        public EndUser {
            id = AuditTerms.personName(id);
        }

        /// Names no person.
        @Override
        public String toString() {
            return "EndUser[…]";
        }
    }

    /// The holder of an API key, for requests that name no end user.
    record KeyHolder(String key) implements DataSubject {}

    /// The subject of a stored record; new requests may refuse such a name.
    ///
    /// @param token as records show it, hexadecimal
    record Stored(String token) implements DataSubject {}

    /// @param user the end user as the request names the user; may be empty
    /// @param key id of the API key
    static DataSubject of(String user, String key) {
        return user.isEmpty() ? new KeyHolder(key) : new EndUser(user);
    }

    /// The name for who approves an erasure.
    default String name() {
        return switch (this) {
            case EndUser user -> user.id;
            case KeyHolder holder -> holder.key;
            case Stored stored -> stored.token;
        };
    }

    /// The bytes from which the token of this subject is computed. An end user who is called like a key is another
    /// subject.
    default byte[] canonical() {
        return switch (this) {
            case EndUser user ->
                new CanonicalEncoder("subject|user").text(user.id).toBytes();
            case KeyHolder holder ->
                new CanonicalEncoder("subject|key").text(holder.key).toBytes();
            case Stored _ -> throw new IllegalStateException("a token has no name");
        };
    }
}
