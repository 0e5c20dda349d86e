package dev.counterpoint.tlog;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.OptionalLong;

/// A public key with its name and the type of its signatures. Its text is the vkey
/// `<name>+<key id in hex>+base64(type || key)`. Immutable; two keys are equal when their vkeys are.
///
/// Source: <https://c2sp.org/signed-note#verifier-keys>
public final class VerifierKey {
    private final String name;
    private final SignatureType type;
    private final byte[] raw;
    private final PublicKey key;

    private VerifierKey(String name, SignatureType type, byte[] raw) {
        NoteSignature.checkName(name);
        if (raw.length != type.keyLength) {
            throw new InvalidLogException("a key of " + type + " has " + type.keyLength + " bytes");
        }
        this.name = name;
        this.type = type;
        this.raw = raw;
        var prefix = HexFormat.of().parseHex(type.keyPrefix);
        var encoded = ByteBuffer.allocate(prefix.length + raw.length)
                .put(prefix)
                .put(raw)
                .array();
        try {
            this.key = KeyFactory.getInstance(type.algorithm, provider(type))
                    .generatePublic(new X509EncodedKeySpec(encoded));
        } catch (GeneralSecurityException e) {
            throw new InvalidLogException("not a key of " + type);
        }
    }

    /// The vkey's key.
    ///
    /// @param vkey text of a verifier key
    /// @return the key
    /// @throws InvalidLogException for malformed text, an unknown type, or an id that does not belong to the key
    public static VerifierKey parse(String vkey) {
        // Base64 may hold a plus, names and hex never do.
        var parts = vkey.split("\\+", 3);
        if (parts.length != 3) {
            throw new InvalidLogException("a verifier key has three parts");
        }
        var material = Encoding.decodeBase64(parts[2]);
        if (material.length == 0) {
            throw new InvalidLogException("a verifier key without a key");
        }
        var key = new VerifierKey(
                parts[0], SignatureType.of(material[0] & 0xff), Arrays.copyOfRange(material, 1, material.length));
        if (!key.toString().equals(vkey)) {
            throw new InvalidLogException("the id of a verifier key is not that of its key");
        }
        return key;
    }

    /// A key of the JDK under a name.
    ///
    /// @param name name of the key; for a log its origin
    /// @param type type of the signatures to verify
    /// @param key key of that type's algorithm
    /// @return the key
    public static VerifierKey of(String name, SignatureType type, PublicKey key) {
        var encoded = key.getEncoded();
        var prefix = HexFormat.of().parseHex(type.keyPrefix);
        if (!Arrays.equals(prefix, Arrays.copyOf(encoded, prefix.length))) {
            throw new InvalidLogException("not a key of " + type);
        }
        return new VerifierKey(name, type, Arrays.copyOfRange(encoded, prefix.length, encoded.length));
    }

    /// The JDK's own providers only: another one may be installed and accept other signatures.
    private static String provider(SignatureType type) {
        return type == SignatureType.ML_DSA_44 ? "SUN" : "SunEC";
    }

    /// The key's name.
    ///
    /// @return the name in signature lines
    public String name() {
        return name;
    }

    /// The type of the key's signatures.
    ///
    /// @return the type
    public SignatureType type() {
        return type;
    }

    int id() {
        var digest = MerkleHash.sha256();
        digest.update((name + "\n").getBytes(StandardCharsets.UTF_8));
        digest.update((byte) type.id);
        return ByteBuffer.wrap(digest.digest(raw)).getInt();
    }

    boolean sameKeyMaterial(VerifierKey other) {
        return Arrays.equals(raw, other.raw);
    }

    boolean named(NoteSignature signature) {
        return signature.name().equals(name) && signature.keyId() == id();
    }

    /// The time of a valid signature in seconds since 1970 (0 where the type has none); empty for an invalid one.
    OptionalLong verify(String text, NoteSignature line) {
        var bytes = ByteBuffer.wrap(line.signature());
        if (bytes.remaining() != type.signatureLength) {
            return OptionalLong.empty();
        }
        var time = type.timestamped() ? bytes.getLong() : 0;
        var signature = new byte[bytes.remaining()];
        bytes.get(signature);
        try {
            var verifier = Signature.getInstance(type.algorithm, provider(type));
            verifier.initVerify(key);
            verifier.update(SignedMessage.of(type, name, text, time));
            return time >= 0 && verifier.verify(signature) ? OptionalLong.of(time) : OptionalLong.empty();
        } catch (SignatureException | InvalidLogException e) {
            return OptionalLong.empty();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("JDK 25 verifies " + type, e);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof VerifierKey that && toString().equals(that.toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    /// The vkey.
    @Override
    public String toString() {
        var material =
                ByteBuffer.allocate(1 + raw.length).put((byte) type.id).put(raw).array();
        return name + "+" + HexFormat.of().toHexDigits(id()) + "+"
                + Base64.getEncoder().encodeToString(material);
    }
}
