package dev.counterpoint.audit.keys;

import dev.counterpoint.servicekit.OutageException;
import java.util.List;

/// Holds the root key and wraps the tenants' keys. The root key never leaves the service, so a KMS can replace the
/// keyset file: each method is one call. Implementations are thread-safe.
public interface KeyService {
    /// Wraps a key with the current version of the root.
    ///
    /// @param context the bytes that the wrapped key is bound to
    /// @throws UnavailableException when the service cannot be reached
    byte[] wrap(byte[] key, byte[] context);

    /// Unwraps with the version that wrapped.
    ///
    /// @throws EncryptionException when the bytes or the context were altered, or that version was removed
    /// @throws UnavailableException when the service cannot be reached
    byte[] unwrap(byte[] wrapped, byte[] context);

    /// The versions of the root key, for people.
    Description describe();

    /// @param kind such as `keyset file`
    /// @param current the version that wraps
    /// @param readable the versions that unwrap, the current one included
    record Description(String kind, String current, List<String> readable) {
        public Description {
            readable = List.copyOf(readable);
        }
    }

    /// The key service cannot be reached: callers wait and try again.
    final class UnavailableException extends OutageException {
        private static final long serialVersionUID = 1;

        public UnavailableException(String message) {
            super(message);
        }
    }
}
