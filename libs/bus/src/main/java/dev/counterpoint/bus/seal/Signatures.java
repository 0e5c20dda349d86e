package dev.counterpoint.bus.seal;

import com.google.crypto.tink.PublicKeySign;
import com.google.crypto.tink.PublicKeyVerify;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.bus.wire.ProvenMessage;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/// Signs what one service decides, and verifies what others decided: Ed25519 over the kind of the record, its
/// topic, and its exact bytes. Signing costs about 0.1 ms and verifying 0.2 ms, so it happens once per record and
/// reader, and never per token or beat. Thread-safe.
public final class Signatures {
    private final PublicKeySign own;
    private final Map<ServiceRole, PublicKeyVerify> signers = new EnumMap<>(ServiceRole.class);
    private final RefusalListener refusals;

    Signatures(Path folder, ServiceRole self, RefusalListener refusals) throws GeneralSecurityException, IOException {
        own = KeyRing.primitive(KeyRing.secret(folder.resolve(privateFile(self))), PublicKeySign.class);
        for (var role : ServiceRole.values()) {
            var keys = KeyRing.open(folder.resolve(publicFile(role)));
            signers.put(role, KeyRing.primitive(keys, PublicKeyVerify.class));
        }
        this.refusals = refusals;
    }

    static String publicFile(ServiceRole role) {
        return role.wireName() + "-signing.public.json";
    }

    static String privateFile(ServiceRole role) {
        return role.wireName() + "-signing.private.json";
    }

    /// Signs a decision.
    ///
    /// @throws IllegalArgumentException for a frame of an attempt's holder: its proof is a tag
    public Frame sign(Frame frame) {
        var kind = SignedRecord.of(frame.kind()).orElseThrow(IllegalArgumentException::new);
        return frame.withProof(signature(kind, Topic.FRAMES, frame.content()));
    }

    /// True when a decision is signed by who may decide it.
    public boolean verifies(Frame frame) {
        return SignedRecord.of(frame.kind())
                .filter(kind -> verifies(kind, Topic.FRAMES, frame.content(), frame.proof()))
                .isPresent();
    }

    /// Signs a record that is no frame.
    ///
    /// @param topic the one it is for
    /// @return the record with its signature
    public byte[] sign(SignedRecord kind, String topic, byte[] content) {
        return new ProvenMessage(content, signature(kind, topic, content)).encode();
    }

    /// The content of a signed record.
    ///
    /// @param topic the one it was read from
    /// @throws SealException when it is not signed, by another role, for another topic, or was altered; this is
    ///     counted
    public byte[] verified(SignedRecord kind, String topic, byte[] record) {
        try {
            var proven = ProvenMessage.decode(record);
            if (verifies(kind, topic, proven.content(), proven.proof())) {
                return proven.content();
            }
        } catch (MalformedMessageException e) {
            // Refused as one without a signature.
        }
        refused(topic, RefusalListener.Reason.SIGNATURE);
        throw new SealException("a record is not signed by who may write it");
    }

    boolean verifies(SignedRecord kind, String topic, ProvenMessage record) {
        return verifies(kind, topic, record.content(), record.proof());
    }

    private byte[] signature(SignedRecord kind, String topic, byte[] content) {
        try {
            return own.sign(signed(kind, topic, content));
        } catch (GeneralSecurityException e) {
            throw new SealException("signing failed");
        }
    }

    private boolean verifies(SignedRecord kind, String topic, byte[] content, byte[] signature) {
        try {
            Objects.requireNonNull(signers.get(kind.signer())).verify(signature, signed(kind, topic, content));
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static byte[] signed(SignedRecord kind, String topic, byte[] content) {
        var context = kind.context(topic);
        var all = Arrays.copyOf(context, context.length + content.length);
        System.arraycopy(content, 0, all, context.length, content.length);
        return all;
    }

    /// Counts a record that is void.
    public void refused(String topic, RefusalListener.Reason reason) {
        refusals.refused(topic, reason);
    }
}
