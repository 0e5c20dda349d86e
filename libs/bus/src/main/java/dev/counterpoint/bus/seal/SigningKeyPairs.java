package dev.counterpoint.bus.seal;

import com.google.crypto.tink.AccessesPartialKey;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeyStatus;
import com.google.crypto.tink.signature.Ed25519PrivateKey;
import dev.counterpoint.bus.ServiceRole;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// The keys with which a service signs, in the JDK's form: for signatures in formats of others. What they sign must
/// not begin as a [SignedRecord] does, with a context that ends in NUL.
public final class SigningKeyPairs {
    private static final String ALGORITHM = "Ed25519";
    /// Stands before the raw public key in its X.509 encoding.
    private static final String PUBLIC_PREFIX = "302a300506032b6570032100";

    private SigningKeyPairs() {}

    /// All keys of the keyset, the primary one first.
    ///
    /// @throws SealException when the file is missing or can be read by others
    /// @throws DamagedKeysException when it has no keys
    public static List<KeyPair> load(Path folder, ServiceRole self) {
        TinkSetup.ensure();
        var file = folder.resolve(Signatures.privateFile(self));
        try {
            var keys = KeyRing.secret(file);
            var pairs = new ArrayList<KeyPair>();
            for (int i = 0; i < keys.size(); i++) {
                var entry = keys.getAt(i);
                if (entry.getStatus() == KeyStatus.ENABLED && entry.getKey() instanceof Ed25519PrivateKey key) {
                    pairs.add(entry.isPrimary() ? 0 : pairs.size(), pair(key));
                }
            }
            return pairs;
        } catch (IOException e) {
            throw new SealException("key file cannot be read: " + e.getMessage());
        } catch (GeneralSecurityException e) {
            throw new DamagedKeysException("key file " + file + " is no Tink keyset for its purpose");
        }
    }

    @AccessesPartialKey
    private static KeyPair pair(Ed25519PrivateKey key) throws GeneralSecurityException {
        var factory = KeyFactory.getInstance(ALGORITHM);
        var seed = key.getPrivateKeyBytes().toByteArray(InsecureSecretKeyAccess.get());
        var raw = key.getPublicKey().getPublicKeyBytes().toByteArray();
        var encoded = HexFormat.of().parseHex(PUBLIC_PREFIX + HexFormat.of().formatHex(raw));
        return new KeyPair(
                factory.generatePublic(new X509EncodedKeySpec(encoded)),
                factory.generatePrivate(new EdECPrivateKeySpec(NamedParameterSpec.ED25519, seed)));
    }
}
