package dev.counterpoint.tlog;

import static dev.counterpoint.tlog.InvalidLogException.require;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/// A public key with its name and the type of its signatures. Its text is the vkey
/// `<name>+<key id in hex>+base64(type || key)`. The name of a log's key is the log's origin.
public record VerifierKey(String name, SignatureType type, PublicKey key) {
    public VerifierKey {
        NoteSignature.checkName(name);
        require(HexFormat.of().formatHex(key.getEncoded()).startsWith(type.keyPrefix), "not a key of the type");
    }

    /// Reads a vkey. Its id must be that of the key.
    public static VerifierKey parse(String vkey) {
        // Base64 may have a plus, names and hex never do.
        var parts = vkey.split("\\+", 3);
        require(parts.length == 3, "a verifier key has three parts");
        var material = Encoding.decodeBase64(parts[2]);
        require(material.length > 0, "a verifier key without a key");
        var type = SignatureType.of(material[0] & 0xff);
        var encoded = concat(HexFormat.of().parseHex(type.keyPrefix), Arrays.copyOfRange(material, 1, material.length));
        try {
            var key = KeyFactory.getInstance(type.algorithm).generatePublic(new X509EncodedKeySpec(encoded));
            var parsed = new VerifierKey(parts[0], type, key);
            require(parsed.toString().equals(vkey), "the id of a verifier key is not that of its key");
            return parsed;
        } catch (GeneralSecurityException e) {
            throw new InvalidLogException("not a key of " + type);
        }
    }

    byte[] raw() {
        var encoded = key.getEncoded();
        return Arrays.copyOfRange(encoded, type.keyPrefix.length() / 2, encoded.length);
    }

    int id() {
        var digest = MerkleHash.sha256();
        digest.update((name + "\n").getBytes(StandardCharsets.UTF_8));
        digest.update((byte) type.id);
        return ByteBuffer.wrap(digest.digest(raw())).getInt();
    }

    boolean verify(String text, NoteSignature line) {
        var signature = line.signature();
        var start = type.timestamped() ? Long.BYTES : 0;
        if (signature.length <= start) {
            return false;
        }
        var time = type.timestamped() ? line.time() : 0;
        try {
            var verifier = Signature.getInstance(type.algorithm);
            verifier.initVerify(key);
            verifier.update(type.message(name, text, time));
            return time >= 0 && verifier.verify(signature, start, signature.length - start);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("JDK 25 verifies " + type, e);
        } catch (GeneralSecurityException | InvalidLogException e) {
            return false;
        }
    }

    static byte[] concat(byte[] first, byte[] second) {
        return ByteBuffer.allocate(first.length + second.length)
                .put(first)
                .put(second)
                .array();
    }

    @Override
    public String toString() {
        var material = concat(new byte[] {(byte) type.id}, raw());
        return name + "+" + HexFormat.of().toHexDigits(id()) + "+"
                + Base64.getEncoder().encodeToString(material);
    }
}
