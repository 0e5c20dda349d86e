package dev.counterpoint.tlog;

import static dev.counterpoint.tlog.InvalidLogException.require;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/// Kinds of note signatures.
public enum SignatureType {
    /// Ed25519 over the note's text.
    ED25519(0x01, "Ed25519", "302a300506032b6570032100"),
    /// Ed25519 over the checkpoint and a time: a witness's cosignature.
    ED25519_COSIGNATURE(0x04, "Ed25519", "302a300506032b6570032100"),
    /// ML-DSA-44 over the checkpoint's tree, the signer's name and a time. For logs and for witnesses.
    ML_DSA_44(0x06, "ML-DSA-44", "30820532300b06096086480165030403110382052100");

    private static final byte[] SUBTREE = "subtree/v1\n\0".getBytes(StandardCharsets.US_ASCII);
    private static final int NAME_BYTES_MAX = 255;

    final int id;
    final String algorithm;
    /// Hex of the bytes before the raw key in its X.509 encoding, with the length of the key.
    final String keyPrefix;

    SignatureType(int id, String algorithm, String keyPrefix) {
        this.id = id;
        this.algorithm = algorithm;
        this.keyPrefix = keyPrefix;
    }

    static SignatureType of(int id) {
        return Stream.of(values())
                .filter(type -> type.id == id)
                .findAny()
                .orElseThrow(() -> new InvalidLogException("unknown signature type " + id));
    }

    boolean timestamped() {
        return this != ED25519;
    }

    /// The bytes that a signature covers; `time` in seconds since 1970.
    byte[] message(String name, String text, long time) {
        return switch (this) {
            case ED25519 -> text.getBytes(StandardCharsets.UTF_8);
            case ED25519_COSIGNATURE -> ("cosignature/v1\ntime " + time + "\n" + text).getBytes(StandardCharsets.UTF_8);
            case ML_DSA_44 -> subtree(name, Checkpoint.parse(text), time);
        };
    }

    /// `cosigned_message` of <https://c2sp.org/tlog-cosignature#ml-dsa-44-signed-message>. It leaves out
    /// extension lines.
    private static byte[] subtree(String name, Checkpoint checkpoint, long time) {
        var signer = shortText(name);
        var origin = shortText(checkpoint.origin());
        return ByteBuffer.allocate(SUBTREE.length + signer.length + origin.length + 3 * Long.BYTES + MerkleHash.LENGTH)
                .put(SUBTREE)
                .put(signer)
                .putLong(time)
                .put(origin)
                .putLong(0)
                .putLong(checkpoint.size())
                .put(checkpoint.root().bytes())
                .array();
    }

    /// A text after its length in one byte.
    private static byte[] shortText(String text) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        require(bytes.length <= NAME_BYTES_MAX, "a name or origin of more than 255 bytes");
        return ByteBuffer.allocate(1 + bytes.length)
                .put((byte) bytes.length)
                .put(bytes)
                .array();
    }
}
