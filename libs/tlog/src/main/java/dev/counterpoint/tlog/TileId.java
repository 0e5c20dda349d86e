package dev.counterpoint.tlog;

import static dev.counterpoint.tlog.InvalidLogException.require;

import java.util.regex.Pattern;

/// Names one tile of hashes or one bundle of entries, full or partial.
///
/// @param level level of a tile of hashes, 0 for leaves; [#ENTRIES] for a bundle
/// @param index number of the tile within its level, from 0
/// @param width hashes or entries in it: 256 in a full tile, 1 to 255 in a partial one
public record TileId(int level, long index, int width) {
    /// Hashes in a full tile.
    public static final int WIDTH = 256;
    /// The level of entry bundles.
    public static final int ENTRIES = -1;
    /// Levels of a tile's hashes below the next tile's.
    static final int LEVEL_BITS = 8;

    /// A tree of at most 2^63 leaves has no higher level.
    private static final int LEVEL_MAX = 7;

    private static final int ELEMENT = 1000;
    private static final Pattern PATH =
            Pattern.compile("tile/(entries|[0-7])/((?:x[0-9]{3}/){0,5}[0-9]{3})(?:\\.p/([1-9][0-9]{0,2}))?");

    public TileId {
        require(
                level >= ENTRIES && level <= LEVEL_MAX && index >= 0 && width >= 1 && width <= WIDTH,
                "no tile has this level, index and width");
    }

    /// The full tile, or the partial one at the right edge, of a tree with `size` leaves.
    public static TileId inTree(int level, long index, long size) {
        var hashes = size >> (LEVEL_BITS * Math.max(level, 0));
        return new TileId(level, index, Math.clamp(hashes - index * WIDTH, 0, WIDTH));
    }

    /// Reads a path as `tile/0/x001/x234/067.p/8`.
    public static TileId parse(String path) {
        var match = PATH.matcher(path);
        require(match.matches(), "not the path of a tile");
        var level = match.group(1).equals("entries") ? ENTRIES : Integer.parseInt(match.group(1));
        var index = Long.parseLong(match.group(2).replaceAll("[x/]", ""));
        var width = match.group(3) == null ? WIDTH : Integer.parseInt(match.group(3));
        var id = new TileId(level, index, width);
        require(id.path().equals(path), "not the canonical path of a tile");
        return id;
    }

    public boolean partial() {
        return width < WIDTH;
    }

    public TileId full() {
        return new TileId(level, index, WIDTH);
    }

    /// The path relative to the log's prefix.
    public String path() {
        var elements = "%03d".formatted(index % ELEMENT);
        for (var rest = index / ELEMENT; rest > 0; rest /= ELEMENT) {
            elements = "x%03d/".formatted(rest % ELEMENT) + elements;
        }
        var kind = level == ENTRIES ? "entries" : Integer.toString(level);
        return "tile/" + kind + "/" + elements + (partial() ? ".p/" + width : "");
    }
}
