package dev.counterpoint.tlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// RFC 6962's tree against known roots, and every tree of up to 300 leaves against its definition.
class MerkleTreeTest {
    private static final int SIZE_MAX = 300;
    private static final List<MerkleHash> LEAVES = leaves(SIZE_MAX);
    private static final List<List<MerkleHash>> COMPLETE = complete();
    private static final List<String> KNOWN =
            List.of("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f");

    /// The vectors of Certificate Transparency's reference implementation.
    @ParameterizedTest
    @CsvSource({
        "0, e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "1, 6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "2, fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "3, aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "4, d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "5, 4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "6, 76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "7, ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "8, 5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    })
    void hasTheRootsOfTheReferenceImplementation(int size, String root) {
        var leaves = KNOWN.subList(0, size).stream()
                .map(entry -> MerkleHash.ofLeaf(HexFormat.of().parseHex(entry)))
                .toList();
        assertThat(MerkleTree.ofLeaves(leaves).root())
                .isEqualTo(MerkleHash.of(HexFormat.of().parseHex(root)));
    }

    @Test
    void provesEveryLeafOfEverySize() {
        for (var size = 0; size <= SIZE_MAX; size++) {
            var tree = tree(size);
            var root = naiveRoot(LEAVES.subList(0, size));
            assertThat(tree.root()).isEqualTo(root);
            for (var index = 0; index < size; index++) {
                var proof = tree.inclusion(index);
                assertThat(proof.proves(LEAVES.get(index), root)).isTrue();
                assertThat(proof.proves(LEAVES.get((index + 1) % SIZE_MAX), root))
                        .isFalse();
            }
        }
    }

    @Test
    void provesEverySizeConsistentWithEveryOlderOne() {
        for (var size = 0; size <= SIZE_MAX; size++) {
            var tree = tree(size);
            var root = tree.root();
            for (var old = 0; old <= size; old++) {
                assertThat(tree.consistency(old).proves(tree(old).root(), root))
                        .as("%d to %d", old, size)
                        .isTrue();
            }
        }
    }

    @Test
    void refusesEveryFlippedBitOfAnInclusionProof() {
        var random = new Random(1);
        for (var size = 1; size <= SIZE_MAX; size += 1 + random.nextInt(20)) {
            var index = random.nextInt(size);
            var proof = tree(size).inclusion(index);
            var root = tree(size).root();
            for (var flipped : flips(proof.hashes())) {
                assertThat(new InclusionProof(index, size, flipped).proves(LEAVES.get(index), root))
                        .isFalse();
            }
            for (var other : flips(List.of(LEAVES.get(index)))) {
                assertThat(proof.proves(other.getFirst(), root)).isFalse();
            }
            for (var other : flips(List.of(root))) {
                assertThat(proof.proves(LEAVES.get(index), other.getFirst())).isFalse();
            }
        }
    }

    @Test
    void refusesEveryFlippedBitOfAConsistencyProof() {
        var random = new Random(2);
        for (var size = 2; size <= SIZE_MAX; size += 1 + random.nextInt(20)) {
            var old = 1 + random.nextInt(size - 1);
            var proof = tree(size).consistency(old);
            var oldRoot = tree(old).root();
            var root = tree(size).root();
            for (var flipped : flips(proof.hashes())) {
                assertThat(new ConsistencyProof(old, size, flipped).proves(oldRoot, root))
                        .isFalse();
            }
            for (var other : flips(List.of(oldRoot))) {
                assertThat(proof.proves(other.getFirst(), root)).isFalse();
            }
            for (var other : flips(List.of(root))) {
                assertThat(proof.proves(oldRoot, other.getFirst())).isFalse();
            }
        }
    }

    @Test
    void refusesProofsOfAnotherLength() {
        for (var size = 1; size <= 70; size++) {
            for (var index = 0; index < size; index++) {
                var hashes = tree(size).inclusion(index).hashes();
                for (var other : otherLengths(hashes)) {
                    var proof = new InclusionProof(index, size, other);
                    assertThat(proof.proves(LEAVES.get(index), tree(size).root()))
                            .isFalse();
                }
                var path = tree(size).consistency(index).hashes();
                for (var other : otherLengths(path)) {
                    var proof = new ConsistencyProof(index, size, other);
                    assertThat(proof.proves(tree(index).root(), tree(size).root()))
                            .isFalse();
                }
            }
        }
    }

    @Test
    void refusesALeafAtAnotherIndex() {
        for (var size = 2; size <= 70; size++) {
            for (var index = 0; index < size; index++) {
                var hashes = tree(size).inclusion(index).hashes();
                for (var other = -1; other <= size; other++) {
                    var proof = new InclusionProof(other, size, hashes);
                    assertThat(proof.proves(LEAVES.get(index), tree(size).root()))
                            .isEqualTo(other == index);
                }
            }
        }
    }

    private static List<List<MerkleHash>> otherLengths(List<MerkleHash> hashes) {
        var longer = new ArrayList<>(hashes);
        longer.add(LEAVES.getFirst());
        return hashes.isEmpty() ? List.of(longer) : List.of(longer, hashes.subList(0, hashes.size() - 1));
    }

    private static List<List<MerkleHash>> flips(List<MerkleHash> hashes) {
        var flips = new ArrayList<List<MerkleHash>>();
        for (var i = 0; i < hashes.size(); i++) {
            for (var bit = 0; bit < 8 * MerkleHash.LENGTH; bit++) {
                var bytes = hashes.get(i).bytes();
                bytes[bit / 8] ^= (byte) (1 << bit % 8);
                var flipped = new ArrayList<>(hashes);
                flipped.set(i, MerkleHash.of(bytes));
                flips.add(flipped);
            }
        }
        return flips;
    }

    /// The definition of section 2.1, word by word.
    static MerkleHash naiveRoot(List<MerkleHash> leaves) {
        if (leaves.isEmpty()) {
            return MerkleHash.EMPTY_TREE;
        }
        if (leaves.size() == 1) {
            return leaves.getFirst();
        }
        var k = 1;
        while (2 * k < leaves.size()) {
            k *= 2;
        }
        return MerkleHash.ofNode(naiveRoot(leaves.subList(0, k)), naiveRoot(leaves.subList(k, leaves.size())));
    }

    private static MerkleTree tree(int size) {
        return new MerkleTree(size, (level, index) -> COMPLETE.get(level).get((int) index));
    }

    /// Every complete subtree of the leaves, by level.
    private static List<List<MerkleHash>> complete() {
        var levels = new ArrayList<List<MerkleHash>>();
        for (var below = LEAVES; !below.isEmpty(); below = levels.getLast()) {
            var level = new ArrayList<MerkleHash>();
            for (var i = 0; i + 1 < below.size() && !levels.isEmpty(); i += 2) {
                level.add(MerkleHash.ofNode(below.get(i), below.get(i + 1)));
            }
            levels.add(levels.isEmpty() ? LEAVES : level);
        }
        return levels;
    }

    private static List<MerkleHash> leaves(int count) {
        var leaves = new ArrayList<MerkleHash>();
        for (var i = 0; i < count; i++) {
            leaves.add(MerkleHash.ofLeaf(ByteBuffer.allocate(4).putInt(i).array()));
        }
        return leaves;
    }
}
