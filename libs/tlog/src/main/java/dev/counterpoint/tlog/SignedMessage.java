package dev.counterpoint.tlog;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// What a signature of each type covers.
final class SignedMessage {
    private static final byte[] LABEL = "subtree/v1\n\0".getBytes(StandardCharsets.US_ASCII);
    private static final int NAME_BYTES_MAX = 255;

    private SignedMessage() {}

    /// The bytes to sign or to verify; `time` in seconds since 1970 has no meaning for type 0x01.
    static byte[] of(SignatureType type, String name, String text, long time) {
        return switch (type) {
            // https://c2sp.org/signed-note#ed25519-signatures
            case ED25519 -> text.getBytes(StandardCharsets.UTF_8);
            // https://c2sp.org/tlog-cosignature#ed25519-signed-message
            case ED25519_COSIGNATURE -> ("cosignature/v1\ntime " + time + "\n" + text).getBytes(StandardCharsets.UTF_8);
            case ML_DSA_44 -> subtree(name, Checkpoint.parse(text), time);
        };
    }

    /// `cosigned_message` of <https://c2sp.org/tlog-cosignature#ml-dsa-44-signed-message>. Extension lines are
    /// not in it.
    private static byte[] subtree(String name, Checkpoint checkpoint, long time) {
        var signer = shortText(name);
        var origin = shortText(checkpoint.origin());
        var length = LABEL.length + 1 + signer.length + 8 + 1 + origin.length + 8 + 8 + MerkleHash.LENGTH;
        return ByteBuffer.allocate(length)
                .put(LABEL)
                .put((byte) signer.length)
                .put(signer)
                .putLong(time)
                .put((byte) origin.length)
                .put(origin)
                .putLong(0)
                .putLong(checkpoint.size())
                .put(checkpoint.root().bytes())
                .array();
    }

    private static byte[] shortText(String text) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > NAME_BYTES_MAX) {
            throw new InvalidLogException("a name or origin of more than " + NAME_BYTES_MAX + " bytes");
        }
        return bytes;
    }
}
