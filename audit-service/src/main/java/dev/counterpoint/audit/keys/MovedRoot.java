package dev.counterpoint.audit.keys;

import java.util.stream.Stream;

/// A root key that moves from one key service to another: one wraps, both unwrap. Thread-safe.
///
/// @param before holds the versions that the other does not
record MovedRoot(KeyService current, KeyService before) implements KeyService {
    @Override
    public byte[] wrap(byte[] key, byte[] context) {
        return current.wrap(key, context);
    }

    @Override
    public byte[] unwrap(byte[] wrapped, byte[] context) {
        return (before.describe().reads(wrapped) ? before : current).unwrap(wrapped, context);
    }

    @Override
    public Description describe() {
        var now = current.describe();
        var old = before.describe();
        return new Description(
                now.kind() + ", and a " + old.kind() + " to read",
                now.current(),
                Stream.concat(now.readable().stream(), old.readable().stream()).toList());
    }
}
