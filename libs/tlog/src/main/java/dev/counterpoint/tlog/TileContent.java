package dev.counterpoint.tlog;

import static dev.counterpoint.tlog.InvalidLogException.require;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// The content of tiles. A tile has its hashes one after another. A bundle has each entry after its length in two
/// bytes, big-endian.
public final class TileContent {
    /// Bytes of the longest entry.
    public static final int ENTRY_BYTES_MAX = 65_535;

    private TileContent() {}

    public static byte[] ofHashes(List<MerkleHash> hashes) {
        var tile = ByteBuffer.allocate(hashes.size() * MerkleHash.LENGTH);
        hashes.forEach(hash -> tile.put(hash.bytes()));
        return tile.array();
    }

    public static byte[] ofEntries(List<byte[]> entries) {
        var bytes = entries.stream().mapToInt(entry -> Short.BYTES + entry.length);
        var bundle = ByteBuffer.allocate(bytes.sum());
        entries.forEach(entry -> bundle.putShort((short) entry.length).put(entry));
        return bundle.array();
    }

    /// The hashes of a tile with this width.
    public static List<MerkleHash> hashes(byte[] tile, int width) {
        require(tile.length == width * MerkleHash.LENGTH, "a tile has the wrong length");
        var rest = ByteBuffer.wrap(tile);
        var hashes = new ArrayList<MerkleHash>(width);
        while (rest.hasRemaining()) {
            var hash = new byte[MerkleHash.LENGTH];
            rest.get(hash);
            hashes.add(MerkleHash.of(hash));
        }
        return hashes;
    }

    /// The entries of a bundle with this width.
    public static List<byte[]> entries(byte[] bundle, int width) {
        var rest = ByteBuffer.wrap(bundle);
        var entries = new ArrayList<byte[]>(width);
        while (rest.remaining() >= Short.BYTES && entries.size() < width) {
            var entry = new byte[Short.toUnsignedInt(rest.getShort())];
            require(entry.length <= rest.remaining(), "an entry of a bundle is cut off");
            rest.get(entry);
            entries.add(entry);
        }
        require(!rest.hasRemaining() && entries.size() == width, "a bundle has the wrong number of entries");
        return entries;
    }
}
