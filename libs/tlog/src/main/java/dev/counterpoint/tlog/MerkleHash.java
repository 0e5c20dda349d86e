package dev.counterpoint.tlog;

import static dev.counterpoint.tlog.InvalidLogException.require;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/// One SHA-256 hash of a Merkle tree. Leaves and nodes are hashed with different prefixes, so a node never passes
/// for a leaf. Immutable.
public final class MerkleHash {
    public static final int LENGTH = 32;
    /// The root of the tree without leaves: the hash of the empty string.
    public static final MerkleHash EMPTY_TREE = new MerkleHash(sha256().digest());

    private final byte[] value;

    private MerkleHash(byte[] value) {
        this.value = value;
    }

    /// The hash with these 32 bytes, which are copied.
    public static MerkleHash of(byte[] bytes) {
        require(bytes.length == LENGTH, "a hash has 32 bytes");
        return new MerkleHash(bytes.clone());
    }

    /// The hash in a line of a proof or a checkpoint: base64 with padding.
    public static MerkleHash parse(String base64) {
        return of(Encoding.decodeBase64(base64));
    }

    /// The hashes in the lines of a proof.
    static List<MerkleHash> parseAll(List<String> lines) {
        return lines.stream().map(MerkleHash::parse).toList();
    }

    /// The hash of the leaf with this entry.
    public static MerkleHash ofLeaf(byte[] entry) {
        var digest = sha256();
        digest.update((byte) 0);
        return new MerkleHash(digest.digest(entry));
    }

    /// The hash of the node above two others.
    public static MerkleHash ofNode(MerkleHash left, MerkleHash right) {
        var digest = sha256();
        digest.update((byte) 1);
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

    public byte[] bytes() {
        return value.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MerkleHash hash && Arrays.equals(value, hash.value);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(value);
    }

    /// The hash as a line of a proof or a checkpoint has it: base64 with padding.
    @Override
    public String toString() {
        return Base64.getEncoder().encodeToString(value);
    }
}
