package dev.counterpoint.tlog;

import static dev.counterpoint.tlog.InvalidLogException.require;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

/// Signs notes with one key under one name. Thread-safe.
public final class NoteSigner {
    private final VerifierKey verifier;
    private final PrivateKey key;

    /// A signer of a key pair, whose private half may live in a PKCS#11 token.
    public NoteSigner(VerifierKey verifier, PrivateKey key) {
        this.verifier = verifier;
        this.key = key;
    }

    public static NoteSigner generate(String name, SignatureType type) {
        try {
            var keys = KeyPairGenerator.getInstance(type.algorithm).generateKeyPair();
            return new NoteSigner(new VerifierKey(name, type, keys.getPublic()), keys.getPrivate());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("JDK 25 generates keys of " + type, e);
        }
    }

    /// Reads the text of a key file: the vkey, and the private key as PKCS#8 in base64, one line each.
    public static NoteSigner parse(String secret) {
        var lines = secret.lines().toList();
        require(lines.size() == 2, "a key file has two lines");
        var verifier = VerifierKey.parse(lines.getFirst());
        try {
            var encoded = new PKCS8EncodedKeySpec(Encoding.decodeBase64(lines.getLast()));
            var key = KeyFactory.getInstance(verifier.type().algorithm).generatePrivate(encoded);
            var signer = new NoteSigner(verifier, key);
            var sample = new Checkpoint("sample", 0, MerkleHash.EMPTY_TREE).text();
            var signed = signer.sign(sample, Instant.EPOCH);
            require(verifier.verify(sample, signed), "the private key is not that of the vkey");
            return signer;
        } catch (GeneralSecurityException e) {
            throw new InvalidLogException("not a private key of " + verifier.type());
        }
    }

    /// The text of a key file. It holds the private key.
    public String secret() {
        return verifier + "\n" + Base64.getEncoder().encodeToString(key.getEncoded()) + "\n";
    }

    public VerifierKey verifier() {
        return verifier;
    }

    /// Signs a text, which must be a checkpoint unless the type is Ed25519. A cosignature carries the time, in
    /// whole seconds.
    public NoteSignature sign(String text, Instant now) {
        var type = verifier.type();
        var time = now.getEpochSecond();
        try {
            var signature = Signature.getInstance(type.algorithm);
            signature.initSign(key);
            signature.update(type.message(verifier.name(), text, time));
            var stamp = type.timestamped()
                    ? ByteBuffer.allocate(Long.BYTES).putLong(time).array()
                    : new byte[0];
            return NoteSignature.of(verifier, VerifierKey.concat(stamp, signature.sign()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot sign with " + type, e);
        }
    }

    /// Signs a checkpoint: the note with this one signature.
    public SignedNote sign(Checkpoint checkpoint, Instant now) {
        return new SignedNote(checkpoint.text(), List.of(sign(checkpoint.text(), now)));
    }

    @Override
    public String toString() {
        return "NoteSigner[" + verifier + "]";
    }
}
