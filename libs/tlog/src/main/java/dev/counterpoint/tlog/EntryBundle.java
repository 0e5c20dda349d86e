package dev.counterpoint.tlog;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// The format of up to 256 entries in one file: each after its length as a big-endian uint16.
///
/// Source: <https://c2sp.org/tlog-tiles#log-entries>
public final class EntryBundle {
    /// Bytes of the longest entry.
    public static final int ENTRY_BYTES_MAX = 65_535;

    private EntryBundle() {}

    static byte[] encode(List<byte[]> entries) {
        var length =
                entries.stream().mapToInt(entry -> Short.BYTES + entry.length).sum();
        var bundle = ByteBuffer.allocate(length);
        entries.forEach(entry -> bundle.putShort((short) entry.length).put(entry));
        return bundle.array();
    }

    /// Reads the entries of a bundle.
    ///
    /// @param bundle content of the file
    /// @param width number of entries to expect
    /// @return the entries
    /// @throws InvalidLogException for another number of entries, or an entry that is cut off
    public static List<byte[]> decode(byte[] bundle, int width) {
        var rest = ByteBuffer.wrap(bundle);
        var entries = new ArrayList<byte[]>(width);
        while (rest.remaining() >= Short.BYTES && entries.size() < width) {
            var entry = new byte[Short.toUnsignedInt(rest.getShort())];
            if (entry.length > rest.remaining()) {
                throw new InvalidLogException("an entry of a bundle is cut off");
            }
            rest.get(entry);
            entries.add(entry);
        }
        if (rest.hasRemaining() || entries.size() != width) {
            throw new InvalidLogException("a bundle has not " + width + " entries");
        }
        return entries;
    }
}
