package dev.counterpoint.audit.keys;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.counterpoint.bus.seal.PrivateFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidParameterException;
import java.security.Key;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.Provider;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.Security;
import java.security.UnrecoverableKeyException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/// A [KeyService] that is a PKCS#11 token, such as an HSM: its AES keys encrypt in the token and never leave it. Its
/// versions are the labels of the keys; the first one wraps, all of them unwrap. What a key wrapped is its header, a
/// nonce, and the ciphertext of AES-GCM with the context as associated data. Thread-safe.
final class RootToken implements KeyService {
    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();
    /// A library is loaded once in a process.
    private static final Map<Path, Provider> PROVIDERS = new ConcurrentHashMap<>();

    private final Provider provider;
    private final Map<Version, Key> keys;
    private final Description description;

    private RootToken(Provider provider, Map<Version, Key> keys) {
        this.provider = provider;
        this.keys = keys;
        var versions = List.copyOf(keys.keySet());
        description = new Description("PKCS#11 token", versions.getFirst(), versions);
    }

    /// Logs in, and proves that the first key encrypts and decrypts.
    ///
    /// @param configuration file of the JDK's provider SunPKCS11: library, slot and attributes
    /// @param labels of the keys, one at least
    /// @throws dev.counterpoint.bus.seal.SealException when the file with the PIN is missing or readable by others
    /// @throws EncryptionException when a setting is wrong: file, library, slot, PIN or key
    static RootToken open(Path configuration, Path pinFile, List<String> labels) {
        var pin = PrivateFile.read(pinFile).strip().toCharArray();
        try {
            var provider = PROVIDERS.computeIfAbsent(configuration, RootToken::provider);
            var store = KeyStore.getInstance("PKCS11", provider);
            store.load(null, pin);
            var keys = new LinkedHashMap<Version, Key>();
            for (var label : labels) {
                keys.put(version(label), key(store, label));
            }
            return new RootToken(provider, keys).tried();
        } catch (GeneralSecurityException | IOException | ProviderException | InvalidParameterException e) {
            boolean pinIsWrong = e.getCause() instanceof UnrecoverableKeyException;
            throw new EncryptionException("the token of " + configuration
                    + (pinIsWrong ? " does not take the PIN in " + pinFile : " does not open") + ": " + cause(e));
        } finally {
            Arrays.fill(pin, ' ');
        }
    }

    private static Provider provider(Path configuration) {
        var kind = Security.getProvider("SunPKCS11");
        if (kind == null) {
            throw new EncryptionException("this Java has no provider SunPKCS11");
        }
        return kind.configure(configuration.toString());
    }

    private static Key key(KeyStore store, String label) throws GeneralSecurityException {
        var key = store.getKey(label, null);
        if (key == null || !key.getAlgorithm().equals("AES")) {
            throw new EncryptionException("the token has no AES key " + label);
        }
        if (key.getEncoded() != null) {
            throw new EncryptionException("the key " + label + " can be read from the token: make one that is sensitive"
                    + " (CKA_SENSITIVE=true) and not extractable (CKA_EXTRACTABLE=false)");
        }
        return key;
    }

    private static Version version(String label) throws GeneralSecurityException {
        var hash = MessageDigest.getInstance("SHA-256").digest(label.getBytes(UTF_8));
        var header = ByteBuffer.allocate(Version.BYTES)
                .put(Version.TOKEN)
                .put(hash, 0, Version.BYTES - 1)
                .array();
        return new Version(label, Version.header(header));
    }

    private RootToken tried() throws GeneralSecurityException {
        var version = description.current();
        var sample = new byte[NONCE_BYTES];
        if (!Arrays.equals(decrypted(version, encrypted(version, sample, sample), sample), sample)) {
            throw new EncryptionException("the token does not decrypt what its key " + version + " encrypted");
        }
        return this;
    }

    @Override
    public byte[] wrap(byte[] key, byte[] context) {
        try {
            return encrypted(description.current(), key, context);
        } catch (GeneralSecurityException | ProviderException e) {
            throw unavailable(e);
        }
    }

    @Override
    public byte[] unwrap(byte[] wrapped, byte[] context) {
        description.requireReads(wrapped);
        if (wrapped.length < Version.BYTES + NONCE_BYTES + TAG_BYTES) {
            throw new EncryptionException("a wrapped key that is too short");
        }
        var version = description.readable().stream()
                .filter(known -> known.wrapped(wrapped))
                .findFirst()
                .orElseThrow();
        try {
            return decrypted(version, wrapped, context);
        } catch (AEADBadTagException e) {
            throw new EncryptionException("a tenant's key does not open with the root key " + version);
        } catch (GeneralSecurityException | ProviderException e) {
            throw unavailable(e);
        }
    }

    private byte[] encrypted(Version version, byte[] key, byte[] context) throws GeneralSecurityException {
        var nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        var parameters = new GCMParameterSpec(Byte.SIZE * TAG_BYTES, nonce);
        var encrypted =
                cipher(Cipher.ENCRYPT_MODE, version, parameters, context).doFinal(key);
        return ByteBuffer.allocate(Version.BYTES + NONCE_BYTES + encrypted.length)
                .put(version.bytes())
                .put(nonce)
                .put(encrypted)
                .array();
    }

    private byte[] decrypted(Version version, byte[] wrapped, byte[] context) throws GeneralSecurityException {
        int start = Version.BYTES + NONCE_BYTES;
        var parameters = new GCMParameterSpec(Byte.SIZE * TAG_BYTES, wrapped, Version.BYTES, NONCE_BYTES);
        return cipher(Cipher.DECRYPT_MODE, version, parameters, context)
                .doFinal(wrapped, start, wrapped.length - start);
    }

    private Cipher cipher(int mode, Version version, GCMParameterSpec parameters, byte[] context)
            throws GeneralSecurityException {
        var cipher = Cipher.getInstance(CIPHER, provider);
        cipher.init(mode, keys.get(version), parameters);
        cipher.updateAAD(context);
        return cipher;
    }

    private static UnavailableException unavailable(Exception failure) {
        return new UnavailableException("the token of the root key does not answer: " + cause(failure));
    }

    /// Such as `CKR_PIN_INCORRECT`.
    private static String cause(Throwable failure) {
        return Stream.iterate(failure, one -> one != null, Throwable::getCause)
                .map(Throwable::getMessage)
                .filter(message -> message != null)
                .reduce("", (_, deepest) -> deepest);
    }

    @Override
    public Description describe() {
        return description;
    }

    @Override
    public String toString() {
        return "RootToken[" + description + "]";
    }
}
