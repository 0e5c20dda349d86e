package dev.counterpoint.audit.keys;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.crypto.tink.Aead;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.TinkProtoKeysetFormat;
import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import dev.counterpoint.bus.seal.PrivateFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/// A [KeyService] that is a file: a Tink keyset, encrypted with a key derived from a passphrase. Its versions
/// are the keys of the keyset; the primary one wraps, all of them unwrap. Thread-safe.
public final class RootKeyset implements KeyService {
    private static final int SALT_BYTES = 16;
    private static final String FORMAT = "counterpoint-root-keyset-1";
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final JsonMapper JSON = new JsonMapper();

    private final KeysetHandle keys;
    private final Aead root;
    private final Description description;

    /// The content of the file.
    ///
    /// @param keyset encrypted and bound to the other members
    record Sealed(String format, Passphrase.Cost argon2id, byte[] salt, byte[] keyset) {
        byte[] associatedData() {
            return new CanonicalEncoder(format)
                    .number(argon2id.memoryKib())
                    .number(argon2id.iterations())
                    .bytes(salt)
                    .toBytes();
        }
    }

    private RootKeyset(KeysetHandle keys) throws GeneralSecurityException {
        this.keys = keys;
        root = keys.getPrimitive(RegistryConfiguration.get(), Aead.class);
        List<Version> readable = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            readable.add(version(keys.getAt(i).getId()));
        }
        description = new Description("keyset file", version(keys.getPrimary().getId()), readable);
    }

    /// @throws dev.counterpoint.bus.seal.SealException when the file is missing or readable by others
    /// @throws EncryptionException when the file is damaged, or the passphrase is wrong
    static RootKeyset load(Path file, Passphrase passphrase) {
        try {
            return new RootKeyset(open(file, passphrase));
        } catch (GeneralSecurityException e) {
            throw new EncryptionException("the root keyset " + file + " is no keyset for encryption");
        }
    }

    /// Writes a new keyset with one key.
    ///
    /// @throws EncryptionException when the file exists already: overwriting a root keyset would lose every record
    static void create(Path file, Passphrase passphrase) throws IOException, GeneralSecurityException {
        AeadConfig.register();
        if (Files.exists(file)) {
            throw new EncryptionException(file + " exists already and is left as it is");
        }
        save(file, passphrase, KeysetHandle.generateNew(PredefinedAeadParameters.AES256_GCM));
    }

    /// Adds a key that wraps from now on; the older keys go on unwrapping.
    static Description rotate(Path file, Passphrase passphrase) throws IOException, GeneralSecurityException {
        var more = KeysetHandle.newBuilder(open(file, passphrase))
                .addEntry(KeysetHandle.generateEntryFromParameters(PredefinedAeadParameters.AES256_GCM)
                        .withRandomId()
                        .makePrimary())
                .build();
        save(file, passphrase, more);
        return new RootKeyset(more).describe();
    }

    /// Removes a key that wraps nothing any more.
    ///
    /// @throws EncryptionException when the keyset has no such key, or wraps with it
    static Description retire(Path file, Passphrase passphrase, String version)
            throws IOException, GeneralSecurityException {
        var keys = new RootKeyset(open(file, passphrase));
        var builder = KeysetHandle.newBuilder(keys.keys);
        for (int i = keys.keys.size() - 1; i >= 0; i--) {
            if (version(keys.keys.getAt(i).getId()).name().equals(version)) {
                if (keys.keys.getAt(i).isPrimary()) {
                    throw new EncryptionException("the root keyset wraps with " + version + ": rotate first");
                }
                builder.deleteAt(i);
            }
        }
        var fewer = builder.build();
        if (fewer.size() == keys.keys.size()) {
            throw new EncryptionException("the root keyset has no key " + version);
        }
        save(file, passphrase, fewer);
        return new RootKeyset(fewer).describe();
    }

    /// Encrypts the file under another passphrase; no effect if it already has that one.
    ///
    /// @throws EncryptionException when the file opens with neither
    static void protect(Path file, Passphrase before, Passphrase after) throws IOException, GeneralSecurityException {
        KeysetHandle keys;
        try {
            keys = open(file, before);
        } catch (EncryptionException refused) {
            open(file, after);
            return;
        }
        save(file, after, keys);
    }

    private static KeysetHandle open(Path file, Passphrase passphrase) {
        try {
            AeadConfig.register();
            var sealed = JSON.readValue(PrivateFile.read(file), Sealed.class);
            if (!FORMAT.equals(sealed.format) || !sealed.argon2id.isReasonable() || sealed.salt.length < SALT_BYTES) {
                throw new EncryptionException(file + " is no root keyset of this version");
            }
            var key = passphrase.key(sealed.salt, sealed.argon2id);
            return TinkProtoKeysetFormat.parseEncryptedKeyset(sealed.keyset, key, sealed.associatedData());
        } catch (JsonProcessingException e) {
            throw new EncryptionException(file + " is no root keyset");
        } catch (GeneralSecurityException e) {
            throw new EncryptionException(
                    "the root keyset " + file + " does not open: the passphrase is wrong, or the file was altered");
        }
    }

    private static void save(Path file, Passphrase passphrase, KeysetHandle keys)
            throws IOException, GeneralSecurityException {
        var salt = new byte[SALT_BYTES];
        RANDOM.nextBytes(salt);
        var empty = new Sealed(FORMAT, Passphrase.Cost.OF_NEW_FILES, salt, new byte[0]);
        var encrypted = TinkProtoKeysetFormat.serializeEncryptedKeyset(
                keys, passphrase.key(salt, empty.argon2id), empty.associatedData());
        var sealed = new Sealed(FORMAT, empty.argon2id, salt, encrypted);
        PrivateFile.write(file, JSON.writeValueAsString(sealed) + "\n");
    }

    @Override
    public byte[] wrap(byte[] key, byte[] context) {
        try {
            return root.encrypt(key, context);
        } catch (GeneralSecurityException e) {
            throw new EncryptionException("wrapping with the root key failed");
        }
    }

    @Override
    public byte[] unwrap(byte[] wrapped, byte[] context) {
        description.requireReads(wrapped);
        try {
            return root.decrypt(wrapped, context);
        } catch (GeneralSecurityException e) {
            throw new EncryptionException("a tenant's key does not open with the root keyset");
        }
    }

    @Override
    public Description describe() {
        return description;
    }

    private static Version version(int id) {
        var header = ByteBuffer.allocate(Version.BYTES)
                .put(Version.KEYSET)
                .putInt(id)
                .array();
        return new Version(Integer.toHexString(id), Version.header(header));
    }

    @Override
    public String toString() {
        return "RootKeyset[" + describe() + "]";
    }
}
