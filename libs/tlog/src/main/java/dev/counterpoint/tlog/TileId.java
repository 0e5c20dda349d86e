package dev.counterpoint.tlog;

import java.util.regex.Pattern;

/// Names one tile of hashes or one bundle of entries, full or partial.
///
/// Source: <https://c2sp.org/tlog-tiles#merkle-tree>
///
/// @param level level of a tile of hashes, 0 for leaves; [#ENTRIES] for a bundle
/// @param index number of the tile within its level, from 0
/// @param width hashes or entries in it: 256 in a full tile, 1 to 255 in a partial one
public record TileId(int level, long index, int width) {
    /// Hashes in a full tile.
    public static final int WIDTH = 256;
    /// The level of entry bundles.
    public static final int ENTRIES = -1;

    private static final int LEVEL_MAX = 63;
    private static final int ELEMENT = 1000;
    private static final Pattern PATH =
            Pattern.compile("tile/(entries|0|[1-9][0-9]?)/((?:x[0-9]{3}/){0,6}[0-9]{3})(?:\\.p/([1-9][0-9]{0,2}))?");

    /// Checks the ranges.
    public TileId {
        if (level < ENTRIES || level > LEVEL_MAX || index < 0 || width < 1 || width > WIDTH) {
            throw new InvalidLogException("no tile has level " + level + ", index " + index + ", width " + width);
        }
    }

    /// The tile of hashes in a tree of a given size.
    ///
    /// @param level level of the tile
    /// @param index number of the tile
    /// @param size leaves of the tree
    /// @return the full tile, or the partial one at the tree's right edge
    /// @throws InvalidLogException when the tree has no such tile
    public static TileId inTree(int level, long index, long size) {
        var hashes = size >> (8 * Math.max(level, 0));
        var width = hashes - index * WIDTH;
        if (width < 1) {
            throw new InvalidLogException("a tree of " + size + " leaves has no tile " + index + " at level " + level);
        }
        return new TileId(level, index, (int) Math.min(WIDTH, width));
    }

    /// Reads a path.
    ///
    /// @param path path relative to the log's prefix, as `tile/0/x001/x234/067.p/8`
    /// @return the tile that it names
    /// @throws InvalidLogException when it names none, or is not the one form of its name
    public static TileId parse(String path) {
        var match = PATH.matcher(path);
        if (!match.matches()) {
            throw new InvalidLogException("not the path of a tile");
        }
        var level = match.group(1).equals("entries") ? ENTRIES : Integer.parseInt(match.group(1));
        var index = Long.parseLong(match.group(2).replace("x", "").replace("/", ""));
        var width = match.group(3) == null ? WIDTH : Integer.parseInt(match.group(3));
        var id = new TileId(level, index, width);
        if (!id.path().equals(path)) {
            throw new InvalidLogException("not the path of a tile");
        }
        return id;
    }

    /// Whether more hashes may follow in the same place.
    ///
    /// @return true for fewer than 256
    public boolean partial() {
        return width < WIDTH;
    }

    /// The full tile in the same place.
    ///
    /// @return this tile with 256 hashes or entries
    public TileId full() {
        return new TileId(level, index, WIDTH);
    }

    /// Where the tile is served and stored.
    ///
    /// @return path relative to the log's prefix
    public String path() {
        var elements = "%03d".formatted(index % ELEMENT);
        for (var rest = index / ELEMENT; rest > 0; rest /= ELEMENT) {
            elements = "x%03d/".formatted(rest % ELEMENT) + elements;
        }
        var kind = level == ENTRIES ? "entries" : Integer.toString(level);
        return "tile/" + kind + "/" + elements + (partial() ? ".p/" + width : "");
    }
}
