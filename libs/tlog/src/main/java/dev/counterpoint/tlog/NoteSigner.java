package dev.counterpoint.tlog;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.time.Instant;
import java.util.List;

/// Signs notes with one key under one name. The key may live in a token of PKCS#11. Thread-safe.
public final class NoteSigner {
    private final VerifierKey verifier;
    private final PrivateKey key;

    private NoteSigner(VerifierKey verifier, PrivateKey key) {
        this.verifier = verifier;
        this.key = key;
    }

    /// A signer with this key.
    ///
    /// @param name name of the key; for a log its origin
    /// @param type type of the signatures
    /// @param keys key pair of that type's algorithm
    /// @return the signer
    public static NoteSigner of(String name, SignatureType type, KeyPair keys) {
        return new NoteSigner(VerifierKey.of(name, type, keys.getPublic()), keys.getPrivate());
    }

    /// A signer with a new key.
    ///
    /// @param name name of the key
    /// @param type type of the signatures
    /// @return the signer
    public static NoteSigner generate(String name, SignatureType type) {
        try {
            return of(name, type, KeyPairGenerator.getInstance(type.algorithm).generateKeyPair());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("JDK 25 generates keys of " + type, e);
        }
    }

    /// The public half.
    ///
    /// @return the key that verifies this signer's signatures
    public VerifierKey verifier() {
        return verifier;
    }

    /// Signs a text. A cosignature carries the time, in whole seconds.
    ///
    /// @param text text of a note; a checkpoint unless the type is Ed25519
    /// @param now time of signing
    /// @return the signature line
    /// @throws InvalidLogException when the type signs checkpoints only and the text is none
    public NoteSignature sign(String text, Instant now) {
        var type = verifier.type();
        var time = now.getEpochSecond();
        try {
            var signature = Signature.getInstance(type.algorithm);
            signature.initSign(key);
            signature.update(SignedMessage.of(type, verifier.name(), text, time));
            var signed = signature.sign();
            var bytes = type.timestamped()
                    ? ByteBuffer.allocate(Long.BYTES + signed.length)
                            .putLong(time)
                            .put(signed)
                            .array()
                    : signed;
            return NoteSignature.of(verifier.name(), verifier.id(), bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot sign with " + type, e);
        }
    }

    /// Signs a checkpoint.
    ///
    /// @param checkpoint state of the log
    /// @param now time of signing
    /// @return the note with this one signature
    public SignedNote sign(Checkpoint checkpoint, Instant now) {
        var text = checkpoint.text();
        return new SignedNote(text, List.of(sign(text, now)));
    }

    /// The public half only.
    @Override
    public String toString() {
        return "NoteSigner[" + verifier.name() + ", " + verifier.type() + "]";
    }
}
