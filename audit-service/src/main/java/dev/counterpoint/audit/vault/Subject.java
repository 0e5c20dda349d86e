package dev.counterpoint.audit.vault;

/// Whom a record is about.
public sealed interface Subject {
    /// The end user, as requests name it.
    record EndUser(String id) implements Subject {
        /// Names no person.
        @Override
        public String toString() {
            return "EndUser[…]";
        }
    }

    /// The holder of an API key, for requests that name no end user.
    record KeyHolder(String key) implements Subject {}

    /// @param user as the request names it; may be empty
    /// @param key id of the API key
    static Subject of(String user, String key) {
        return user.isEmpty() ? new KeyHolder(key) : new EndUser(user);
    }

    /// What the token of this subject is made of. An end user who is called like a key is another subject.
    default byte[] canonical() {
        return switch (this) {
            case EndUser user -> new Canonical("subject|user").text(user.id).toBytes();
            case KeyHolder holder ->
                new Canonical("subject|key").text(holder.key).toBytes();
        };
    }
}
