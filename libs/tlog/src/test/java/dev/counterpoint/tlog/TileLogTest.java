package dev.counterpoint.tlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TileLogTest {
    private static final String ORIGIN = "audit.example/log";
    private static final Checkpoint EMPTY = new Checkpoint(ORIGIN, 0, MerkleHash.EMPTY_TREE);

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "0, 1234067, 256, tile/0/x001/x234/067",
        "-1, 0, 1, tile/entries/000.p/1",
        "3, 999, 255, tile/3/999.p/255",
        "0, 1000, 256, tile/0/x001/000",
    })
    void namesTilesAsTheSpecificationDoes(int level, long index, int width, String path) {
        var id = new TileId(level, index, width);
        assertThat(id.path()).isEqualTo(path);
        assertThat(TileId.parse(path)).isEqualTo(id);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tile/00/000",
                "tile/64/000",
                "tile/0/0",
                "tile/0/x000/001",
                "tile/0/000.p/0",
                "tile/0/000.p/256",
                "tile/0/000.p/01",
                "tile/0/000/",
                "tile/0/../000",
                "tile/data/000",
                "tile/-1/000",
            })
    void refusesOtherPaths(String path) {
        assertThatExceptionOfType(InvalidLogException.class).isThrownBy(() -> TileId.parse(path));
    }

    /// The example of <https://c2sp.org/tlog-tiles#partial-tiles>.
    @Test
    void storesTheTilesOfTheSpecificationsExample() {
        var log = new TileLogWriter(EMPTY, store());
        log.append(entries(0, 70_000));
        assertThat(folder.resolve("tile/0/272")).hasSize(8192);
        assertThat(folder.resolve("tile/0/273")).doesNotExist();
        assertThat(folder.resolve("tile/0/273.p/112")).hasSize(112 * 32);
        assertThat(folder.resolve("tile/1/000")).hasSize(8192);
        assertThat(folder.resolve("tile/1/001.p/17")).hasSize(17 * 32);
        assertThat(folder.resolve("tile/2/000.p/1")).hasSize(32);
        assertThat(folder.resolve("tile/entries/273.p/112")).exists();
        var tree = MerkleTree.ofTiles(store(), 70_000);
        assertThat(tree.root()).isEqualTo(log.checkpoint().root());
        for (var index : List.of(0L, 255L, 256L, 65_535L, 65_536L, 69_999L)) {
            var leaf = MerkleHash.ofLeaf(entry(index));
            assertThat(tree.inclusion(index).proves(leaf, tree.root())).isTrue();
        }
        assertThat(TileAudit.audit(store(), log.checkpoint(), (_, _) -> {})).isEmpty();
    }

    @Test
    void hasTheDefinedRootAfterEachOfManyBatches() {
        var random = new Random(3);
        var log = new TileLogWriter(EMPTY, store());
        var leaves = new ArrayList<MerkleHash>();
        var old = log.checkpoint();
        while (leaves.size() < 1200) {
            var batch = entries(leaves.size(), leaves.size() + 1 + random.nextInt(90));
            assertThat(log.append(batch)).isEqualTo(leaves.size());
            batch.forEach(entry -> leaves.add(MerkleHash.ofLeaf(entry)));
            var now = log.checkpoint();
            assertThat(now.root()).isEqualTo(MerkleTreeTest.naiveRoot(leaves));
            var tree = MerkleTree.ofTiles(store(), now.size());
            assertThat(tree.root()).isEqualTo(now.root());
            assertThat(tree.consistency(old.size()).proves(old.root(), now.root()))
                    .isTrue();
            var oldTree = MerkleTree.ofTiles(store(), old.size());
            assertThat(oldTree.root()).isEqualTo(old.root());
            log = new TileLogWriter(now, store());
            old = now;
        }
        assertThat(TileAudit.audit(store(), old, (_, _) -> {})).isEmpty();
    }

    @Test
    void continuesAtTheLastCheckpointWhenLaterEntriesWereNotPublished() {
        var log = new TileLogWriter(EMPTY, store());
        log.append(entries(0, 250));
        var published = log.checkpoint();
        log.append(entries(900, 1400));
        var again = new TileLogWriter(published, store());
        again.append(entries(250, 600));
        var leaves = entries(0, 600).stream().map(MerkleHash::ofLeaf).toList();
        assertThat(again.checkpoint().root()).isEqualTo(MerkleTreeTest.naiveRoot(leaves));
        assertThat(TileAudit.audit(store(), again.checkpoint(), (_, _) -> {})).isEmpty();
    }

    @Test
    void findsEveryFlippedBitAndEveryMissingFile() throws IOException {
        var log = new TileLogWriter(EMPTY, store());
        log.append(entries(0, 700));
        var random = new Random(4);
        for (var file : files()) {
            var content = Files.readAllBytes(file);
            for (var round = 0; round < 20; round++) {
                var flipped = content.clone();
                var bit = random.nextInt(8 * content.length);
                flipped[bit / 8] ^= (byte) (1 << bit % 8);
                Files.write(file, flipped);
                assertThat(audit(log)).as("%s, bit %d", file, bit).isPresent();
            }
            Files.write(file, Arrays.copyOf(content, content.length - 1));
            assertThat(audit(log)).as("%s, shorter", file).isPresent();
            Files.delete(file);
            assertThat(audit(log)).as("%s, missing", file).isPresent();
            Files.write(file, content);
        }
        assertThat(audit(log)).isEmpty();
    }

    @Test
    void refusesAStoreThatDoesNotHaveTheCheckpointsRoot() {
        var log = new TileLogWriter(EMPTY, store());
        log.append(entries(0, 10));
        var other = new Checkpoint(ORIGIN, 10, MerkleHash.EMPTY_TREE);
        assertThatExceptionOfType(InvalidLogException.class).isThrownBy(() -> new TileLogWriter(other, store()));
        var larger = new Checkpoint(ORIGIN, 11, log.checkpoint().root());
        assertThatExceptionOfType(InvalidLogException.class).isThrownBy(() -> new TileLogWriter(larger, store()));
    }

    @Test
    void appendsNothingWhenOneEntryIsTooLong() {
        var log = new TileLogWriter(EMPTY, store());
        log.append(List.of(new byte[TileContent.ENTRY_BYTES_MAX], new byte[0]));
        var before = log.checkpoint();
        assertThatExceptionOfType(InvalidLogException.class)
                .isThrownBy(() -> log.append(List.of(new byte[1], new byte[TileContent.ENTRY_BYTES_MAX + 1])));
        assertThat(log.checkpoint()).isEqualTo(before);
        assertThat(audit(log)).isEmpty();
    }

    private Optional<TileAudit.Fault> audit(TileLogWriter log) {
        return TileAudit.audit(store(), log.checkpoint(), (_, _) -> {});
    }

    private FolderTileStore store() {
        return new FolderTileStore(folder);
    }

    private List<Path> files() throws IOException {
        try (var files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    static List<byte[]> entries(long from, long to) {
        var entries = new ArrayList<byte[]>();
        for (var i = from; i < to; i++) {
            entries.add(entry(i));
        }
        return entries;
    }

    static byte[] entry(long index) {
        return ByteBuffer.allocate(Long.BYTES).putLong(index * 31).array();
    }
}
