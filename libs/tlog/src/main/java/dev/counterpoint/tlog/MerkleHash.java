package dev.counterpoint.tlog;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/// One SHA-256 hash of a Merkle tree. Leaves and nodes are hashed with different prefixes, so a node never
/// passes for a leaf. Immutable.
///
/// Source: <https://www.rfc-editor.org/rfc/rfc6962.html#section-2.1>
public final class MerkleHash {
    /// Bytes of a hash.
    public static final int LENGTH = 32;
    /// The root of the tree without leaves: the hash of the empty string.
    public static final MerkleHash EMPTY_TREE = new MerkleHash(sha256().digest());

    private static final byte LEAF_PREFIX = 0;
    private static final byte NODE_PREFIX = 1;

    private final byte[] value;

    private MerkleHash(byte[] value) {
        this.value = value;
    }

    /// The hash with these bytes.
    ///
    /// @param bytes 32 bytes, which are copied
    /// @return the hash
    /// @throws InvalidLogException for another length
    public static MerkleHash of(byte[] bytes) {
        if (bytes.length != LENGTH) {
            throw new InvalidLogException("a hash has " + LENGTH + " bytes, not " + bytes.length);
        }
        return new MerkleHash(bytes.clone());
    }

    /// The hash that this base64 text encodes.
    ///
    /// @param base64 text with padding, as a line of a proof or a checkpoint
    /// @return the hash
    /// @throws InvalidLogException for other text
    public static MerkleHash parse(String base64) {
        return of(Encoding.decodeBase64(base64));
    }

    /// The hash of a leaf with this entry.
    ///
    /// @param entry bytes of the entry
    /// @return `SHA-256(0x00 || entry)`
    public static MerkleHash ofLeaf(byte[] entry) {
        var digest = sha256();
        digest.update(LEAF_PREFIX);
        return new MerkleHash(digest.digest(entry));
    }

    /// The hash of the node above these two.
    ///
    /// @param left hash of the left child
    /// @param right hash of the right child
    /// @return `SHA-256(0x01 || left || right)`
    public static MerkleHash ofNode(MerkleHash left, MerkleHash right) {
        var digest = sha256();
        digest.update(NODE_PREFIX);
        digest.update(left.value);
        return new MerkleHash(digest.digest(right.value));
    }

    /// The root of the complete subtree above these hashes, whose number is a power of two.
    static MerkleHash ofSubtree(List<MerkleHash> hashes) {
        if (hashes.size() == 1) {
            return hashes.getFirst();
        }
        var half = hashes.size() / 2;
        return ofNode(ofSubtree(hashes.subList(0, half)), ofSubtree(hashes.subList(half, hashes.size())));
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /// The hash itself.
    ///
    /// @return a copy of its 32 bytes
    public byte[] bytes() {
        return value.clone();
    }

    /// The hash as a line of a proof or a checkpoint has it.
    ///
    /// @return base64 with padding
    public String base64() {
        return Base64.getEncoder().encodeToString(value);
    }

    void copyTo(byte[] target, int at) {
        System.arraycopy(value, 0, target, at, LENGTH);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MerkleHash hash && Arrays.equals(value, hash.value);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(value);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(value);
    }
}
