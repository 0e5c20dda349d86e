package dev.counterpoint.audit.vault;

import dev.counterpoint.servicekit.OutageException;
import java.util.List;

/// Holds the root key and wraps the tenants' keys with it. The root never leaves it, so that a KMS can take the
/// place of the keyset file: each method is one call to it. Implementations are thread-safe.
public interface KeyService {
    /// Wraps a key with the current version of the root.
    ///
    /// @param context what the wrapped key is bound to
    /// @throws UnavailableException when the service cannot be reached
    byte[] wrap(byte[] key, byte[] context);

    /// Unwraps with the version that wrapped.
    ///
    /// @throws VaultException when the bytes or the context were altered, or that version was removed
    /// @throws UnavailableException when the service cannot be reached
    byte[] unwrap(byte[] wrapped, byte[] context);

    /// What it holds, for people.
    Description describe();

    /// @param kind such as `keyset file`
    /// @param current the version that wraps
    /// @param readable the versions that unwrap, the current one included
    record Description(String kind, String current, List<String> readable) {
        public Description {
            readable = List.copyOf(readable);
        }
    }

    /// The key service is away: whoever needs it waits and tries again.
    final class UnavailableException extends OutageException {
        private static final long serialVersionUID = 1;

        public UnavailableException(String message) {
            super(message);
        }
    }
}
