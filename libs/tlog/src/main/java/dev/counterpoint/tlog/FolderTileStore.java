package dev.counterpoint.tlog;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Optional;
import java.util.SequencedMap;

/// A log in a folder, with the paths of tlog-tiles: any web server can serve it as it is.
///
/// @param folder the log's prefix
public record FolderTileStore(Path folder) implements TileStore {
    private static final String CHECKPOINT = "checkpoint";

    @Override
    public Optional<byte[]> read(TileId id) {
        return read(folder.resolve(id.path()));
    }

    @Override
    public void write(SequencedMap<TileId, byte[]> tiles) {
        var files = new HashMap<Path, byte[]>();
        tiles.forEach((id, content) -> files.put(folder.resolve(id.path()), content));
        try {
            DurableFile.writeAll(files);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void deletePartials(TileId full) {
        var partials = folder.resolve(full.path() + ".p");
        try {
            if (Files.isDirectory(partials)) {
                try (var files = Files.newDirectoryStream(partials)) {
                    for (var file : files) {
                        Files.deleteIfExists(file);
                    }
                }
                Files.deleteIfExists(partials);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Optional<SignedNote> checkpoint() {
        return read(folder.resolve(CHECKPOINT)).map(SignedNote::parse);
    }

    @Override
    public void writeCheckpoint(SignedNote note) {
        try {
            DurableFile.write(folder.resolve(CHECKPOINT), note.encode());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<byte[]> read(Path file) {
        try {
            return Optional.of(Files.readAllBytes(file));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
