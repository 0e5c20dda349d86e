package dev.counterpoint.tlog;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// A log in a folder, with the paths of tlog-tiles: any web server can serve it as it is.
public record FolderTileStore(Path folder) implements TileStore {
    @Override
    public Optional<byte[]> read(TileId id) {
        return DurableFiles.read(folder.resolve(id.path()));
    }

    @Override
    public void write(Map<TileId, byte[]> tiles) {
        var files = new HashMap<Path, byte[]>();
        tiles.forEach((id, content) -> files.put(folder.resolve(id.path()), content));
        DurableFiles.write(files);
        tiles.keySet().stream().filter(id -> !id.partial()).forEach(this::deletePartials);
    }

    /// The checkpoint that was published last, empty for a new log.
    public Optional<SignedNote> checkpoint() {
        return DurableFiles.read(folder.resolve("checkpoint")).map(SignedNote::parse);
    }

    /// Publishes a checkpoint. The caller has written all tiles of its tree before.
    public void publish(SignedNote note) {
        DurableFiles.write(Map.of(folder.resolve("checkpoint"), note.encode()));
    }

    private void deletePartials(TileId full) {
        var partials = folder.resolve(full.path() + ".p");
        if (!Files.isDirectory(partials)) {
            return;
        }
        try (var files = Files.newDirectoryStream(partials)) {
            for (var file : files) {
                Files.delete(file);
            }
            Files.delete(partials);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
