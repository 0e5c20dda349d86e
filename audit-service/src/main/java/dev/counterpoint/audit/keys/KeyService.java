package dev.counterpoint.audit.keys;

import dev.counterpoint.servicekit.OutageException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/// Holds the root key and wraps the tenants' keys. The root key never leaves the service: each method is one call.
/// Implementations are thread-safe.
public interface KeyService {
    /// Wraps a key with the current version of the root.
    ///
    /// @param context the bytes that the wrapped key is bound to
    /// @throws UnavailableException when the service cannot be reached
    byte[] wrap(byte[] key, byte[] context);

    /// Unwraps with the version that wrapped.
    ///
    /// @throws EncryptionException when the bytes or the context were altered
    /// @throws UnavailableException when the service cannot be reached, or does not have the version that wrapped
    byte[] unwrap(byte[] wrapped, byte[] context);

    /// The versions of the root key.
    Description describe();

    /// A version of the root key.
    ///
    /// @param name for people
    /// @param header hexadecimal of the bytes with which every key that it wrapped begins
    record Version(String name, String header) {
        /// Number of bytes in a header: the kind of key service, and its name of the version.
        public static final int BYTES = 5;

        /// The first byte of headers of the two kinds: a keyset file, as Tink writes it, and a PKCS#11 token.
        static final byte KEYSET = 1;

        static final byte TOKEN = 2;

        /// @return empty for what no version wrapped
        public static String header(byte[] wrapped) {
            return wrapped.length < BYTES ? "" : HexFormat.of().formatHex(Arrays.copyOf(wrapped, BYTES));
        }

        byte[] bytes() {
            return HexFormat.of().parseHex(header);
        }

        public boolean wrapped(byte[] key) {
            return header.equals(header(key));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /// @param kind such as `keyset file`
    /// @param current the version that wraps
    /// @param readable the versions that unwrap, the current one included
    record Description(String kind, Version current, List<Version> readable) {
        public Description {
            readable = List.copyOf(readable);
        }

        public boolean reads(byte[] wrapped) {
            return readable.stream().anyMatch(version -> version.wrapped(wrapped));
        }

        /// @throws UnavailableException when the wrapping version is not here
        /// @throws EncryptionException for what no version wrapped
        void requireReads(byte[] wrapped) {
            if (!reads(wrapped)) {
                if (wrapped.length < Version.BYTES || (wrapped[0] != Version.KEYSET && wrapped[0] != Version.TOKEN)) {
                    throw new EncryptionException("a tenant's key that no root key wrapped");
                }
                throw new UnavailableException("there is no root key " + Version.header(wrapped) + " here");
            }
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
