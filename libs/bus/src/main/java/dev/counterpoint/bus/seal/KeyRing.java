package dev.counterpoint.bus.seal;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.HybridDecrypt;
import com.google.crypto.tink.HybridEncrypt;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.Mac;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.TinkJsonProtoKeysetFormat;
import com.google.crypto.tink.prf.PrfSet;
import dev.counterpoint.bus.ServiceRole;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The keys that one service holds: the public keys of all roles and the private keys of its own, for sealing and
/// for signing. Tink keysets in a folder, so keys rotate by adding one to a keyset and restarting; old ones stay
/// readable until they are removed.
///
/// Thread-safe.
public final class KeyRing implements ContentSealer {
    static final String REASONING_KEYS = "reasoning.private.json";
    static final String REASONING_MAC = "reasoning-mac.private.json";
    static final String SUBJECT_TOKENS = "subject-tokens.private.json";

    private final ServiceRole self;
    private final HybridDecrypt own;
    private final Map<ServiceRole, HybridEncrypt> readers = new EnumMap<>(ServiceRole.class);
    private final @Nullable Aead reasoning;
    private final @Nullable Mac reasoningMac;
    private final @Nullable SubjectTokens subjectTokens;
    private final Signatures signatures;
    private final SessionKeys sessions;

    private KeyRing(Path folder, ServiceRole self, RefusalListener refusals)
            throws GeneralSecurityException, IOException {
        this.self = self;
        own = primitive(secret(folder.resolve(privateFile(self))), HybridDecrypt.class);
        for (var role : ServiceRole.values()) {
            readers.put(role, primitive(open(folder.resolve(publicFile(role))), HybridEncrypt.class));
        }
        reasoning = self == ServiceRole.WORKER ? primitive(secret(folder.resolve(REASONING_KEYS)), Aead.class) : null;
        reasoningMac = self == ServiceRole.WORKER || self == ServiceRole.GATEWAY
                ? primitive(secret(folder.resolve(REASONING_MAC)), Mac.class)
                : null;
        subjectTokens = self == ServiceRole.AUDIT || self == ServiceRole.GATEWAY
                ? new SubjectTokens(primitive(secret(folder.resolve(SUBJECT_TOKENS)), PrfSet.class))
                : null;
        signatures = new Signatures(folder, self, refusals);
        sessions = new SessionKeys(this, System::nanoTime);
    }

    /// Loads the keys of `self` from `folder`, as [GenerateKeys] writes them.
    ///
    /// @throws SealException when a file is missing, or a private one can be read by others
    /// @throws DamagedKeysException when one has no keys
    public static KeyRing load(Path folder, ServiceRole self) {
        return load(folder, self, RefusalListener.none());
    }

    /// As [#load(Path, ServiceRole)].
    ///
    /// @param refusals receives each record that fails verification
    public static KeyRing load(Path folder, ServiceRole self, RefusalListener refusals) {
        TinkSetup.ensure();
        if (!Files.isDirectory(folder)) {
            throw new SealException("the key folder " + folder + " is not there; `GenerateKeys " + folder
                    + "` makes one, or set COUNTERPOINT_KEYS_DIR");
        }
        try {
            return new KeyRing(folder, self, refusals);
        } catch (IOException e) {
            throw new SealException("key file cannot be read: " + e.getMessage());
        } catch (GeneralSecurityException e) {
            throw new DamagedKeysException("key file in " + folder + " is no Tink keyset for its purpose");
        }
    }

    static String publicFile(ServiceRole role) {
        return role.wireName() + ".public.json";
    }

    static String privateFile(ServiceRole role) {
        return role.wireName() + ".private.json";
    }

    static KeysetHandle secret(Path file) throws IOException, GeneralSecurityException {
        return parsed(PrivateFile.read(file));
    }

    static KeysetHandle open(Path file) throws IOException, GeneralSecurityException {
        return parsed(Files.readString(file));
    }

    private static KeysetHandle parsed(String json) throws GeneralSecurityException {
        return TinkJsonProtoKeysetFormat.parseKeyset(json, InsecureSecretKeyAccess.get());
    }

    static <P> P primitive(KeysetHandle keys, Class<P> type) throws GeneralSecurityException {
        return keys.getPrimitive(RegistryConfiguration.get(), type);
    }

    /// The role whose private key this ring holds.
    public ServiceRole self() {
        return self;
    }

    /// Signs and verifies with the keys of this ring.
    public Signatures signatures() {
        return signatures;
    }

    /// Seals `content` so that only services of `reader` open it, and only where `context` is the same. It opens as
    /// long as the reader has its key, and costs some 0.1 ms.
    @Override
    public byte[] sealFor(ServiceRole reader, byte[] content, String context) {
        try {
            return Objects.requireNonNull(readers.get(reader))
                    .encrypt(content, context.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new SealException("sealing for " + reader + " failed");
        }
    }

    /// Seals what a response has in a format of its frames: from the second on under keys that are sealed once and
    /// used for minutes.
    public ContentSealer sealer(int format) {
        return format == 1 ? this : sessions;
    }

    /// Opens what was sealed for this service.
    ///
    /// @throws SealException when it was sealed for another reader, in another context, or was altered
    public byte[] open(byte[] sealed, String context) {
        return SessionKeys.sealed(sealed) ? sessions.open(sealed, context) : openAlone(sealed, context);
    }

    /// Opens what [#sealFor] sealed.
    byte[] openAlone(byte[] sealed, String context) {
        try {
            return own.decrypt(sealed, context.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new SealException("sealed content does not open with the keys of " + self);
        }
    }

    /// The tokens of persons, which gateways and the audit service make.
    public SubjectTokens subjectTokens() {
        if (subjectTokens == null) {
            throw new SealException(self + " makes no tokens of subjects");
        }
        return subjectTokens;
    }

    Aead reasoning() {
        if (reasoning == null) {
            throw new SealException(self + " holds no key for sealed reasoning");
        }
        return reasoning;
    }

    Mac reasoningMac() {
        if (reasoningMac == null) {
            throw new SealException(self + " cannot check sealed reasoning");
        }
        return reasoningMac;
    }
}
