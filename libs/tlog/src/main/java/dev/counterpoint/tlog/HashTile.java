package dev.counterpoint.tlog;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The format of a tile of hashes: one after another.
///
/// Source: <https://c2sp.org/tlog-tiles#merkle-tree>
final class HashTile {
    private HashTile() {}

    static byte[] encode(List<MerkleHash> hashes) {
        var tile = new byte[hashes.size() * MerkleHash.LENGTH];
        for (var i = 0; i < hashes.size(); i++) {
            hashes.get(i).copyTo(tile, i * MerkleHash.LENGTH);
        }
        return tile;
    }

    static List<MerkleHash> decode(byte[] tile, TileId id) {
        if (tile.length != id.width() * MerkleHash.LENGTH) {
            throw new InvalidLogException(id.path() + " has the wrong length");
        }
        var hashes = new ArrayList<MerkleHash>(id.width());
        for (var at = 0; at < tile.length; at += MerkleHash.LENGTH) {
            hashes.add(MerkleHash.of(Arrays.copyOfRange(tile, at, at + MerkleHash.LENGTH)));
        }
        return hashes;
    }
}
